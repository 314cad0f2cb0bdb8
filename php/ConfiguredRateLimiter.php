<?php

declare(strict_types=1);

namespace RedisRateLimit;

/** Makes the extension's RateLimiter of configured values, which are text where they come from the environment. */
final class ConfiguredRateLimiter
{
    /** A host that is missing: in Symfony's URLs of Redis, and in others', a socket's path may stand there. */
    private const WITHOUT_HOST = '~^(?:redis|valkey)s?:(?:\?|//(?:[^/]*@)?/)~';

    /**
     * @param ?string                                                 $url     null: the ini setting, here and below
     * @param mixed                                                   $timeout seconds, as a number or its text
     * @param array{url?: string, timeout?: string, prefix?: string} $names   what each is called where it is configured,
     *                                                                         for messages
     *
     * @throws InvalidConfiguration
     * @throws \LogicException where the extension is not loaded
     */
    public static function create(#[\SensitiveParameter] ?string $url, mixed $timeout, ?string $prefix, array $names = []): RateLimiter
    {
        if (!extension_loaded('ratelimit')) {
            throw new \LogicException(sprintf('The PHP extension ratelimit is not loaded in this PHP (%s): see "Install" in the README of ratelimit.', \PHP_SAPI));
        }
        try {
            return new RateLimiter($url, self::seconds($timeout), $prefix);
        } catch (InvalidConfiguration $e) {
            foreach (['url' => [$url, null, null], 'timeout' => [null, $timeout, null], 'prefix' => [null, null, $prefix]] as $key => $alone) {
                if (isset($names[$key])) {
                    self::tryNamed($names[$key], $alone);
                }
            }

            throw new InvalidConfiguration($e->getMessage() . self::hint($url), 0, $e);
        }
    }

    /**
     * @param array{?string, mixed, ?string} $value
     *
     * @throws InvalidConfiguration
     */
    private static function tryNamed(string $name, #[\SensitiveParameter] array $value): void
    {
        try {
            self::create(...$value);
        } catch (InvalidConfiguration $e) {
            throw new InvalidConfiguration("$name cannot be used: {$e->getMessage()}", 0, $e);
        }
    }

    private static function seconds(mixed $timeout): ?float
    {
        if ($timeout !== null && !is_numeric($timeout)) {
            throw new InvalidConfiguration(sprintf('"%s" is not a timeout: give a number of seconds, as 0.05.', is_string($timeout) ? $timeout : get_debug_type($timeout)));
        }

        return $timeout === null ? null : (float) $timeout;
    }

    private static function hint(#[\SensitiveParameter] ?string $url): string
    {
        return preg_match(self::WITHOUT_HOST, (string) $url) === 1 ? '; a socket is written unix:///path/to.sock?pass=PASSWORD' : '';
    }
}
