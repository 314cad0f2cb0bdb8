<?php

declare(strict_types=1);

namespace RedisRateLimit\Console;

use Symfony\Component\Console\Formatter\OutputFormatter;

/** Bytes that a client chose, such as a request id, made fit for the console of Symfony or Laravel. */
final class Untrusted
{
    private const INVISIBLE = '/[\p{C}\p{Zl}\p{Zp}\\\\]/u';
    private const INVISIBLE_BYTES = '/[^ -~]|\\\\/'; // of what is not UTF-8

    /** @return string one line without control characters, markup taken literally; \x1B stands for a byte, \x5C for a backslash */
    public static function shown(string $text): string
    {
        $pattern = preg_match('//u', $text) === 1 ? self::INVISIBLE : self::INVISIBLE_BYTES;

        return OutputFormatter::escape((string) preg_replace_callback(
            $pattern,
            /** @param array<string> $match */
            static fn (array $match): string => '\x' . implode('\x', str_split(strtoupper(bin2hex($match[0])), 2)),
            $text,
        ));
    }
}
