<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/** For tests that expect PHP warnings, which would fail them otherwise. */
trait CollectsWarnings
{
    /** @return list<string> the PHP warnings that $call raises */
    protected static function warningsOf(callable $call): array
    {
        $warnings = [];
        set_error_handler(static function (int $level, string $text) use (&$warnings): bool {
            $warnings[] = $text;

            return true;
        });
        try {
            $call();
        } finally {
            restore_error_handler();
        }

        return $warnings;
    }
}
