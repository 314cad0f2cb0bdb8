<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel;

use Illuminate\Contracts\Config\Repository;
use RedisRateLimit\ConfiguredRateLimiter;
use RedisRateLimit\InvalidConfiguration;
use RedisRateLimit\RateLimiter;

/**
 * Connects the extension to the URL of config/ratelimit.php, or to where a connection of Laravel's goes.
 *
 * @phpstan-import-type Config from RateLimitServiceProvider
 */
final class Connection
{
    /** @throws \InvalidArgumentException for a connection or value that cannot be used, which it names by its setting */
    public static function of(Repository $settings): RateLimiter
    {
        /** @var Config $config */
        $config = $settings->get('ratelimit');
        // RATELIMIT_URL= in .env is an empty text, and means that there is none. So with the rest.
        $url = $config['url'] === '' ? null : $config['url'];
        $timeout = $config['timeout'] === '' ? null : $config['timeout'];
        $prefix = $config['prefix'] === '' ? null : $config['prefix'];
        $connection = null;
        if ($url === null) {
            $connection = $config['connection'] ?: 'default';
            /** @var array<string, mixed> $redis */
            $redis = $settings->get('database.redis', []);
            $url = ConnectionUrl::of($redis, $connection);
            $prefix ??= ConnectionUrl::prefix($redis, $connection) . 'rl';
        }

        try {
            return ConfiguredRateLimiter::create($url, $timeout, $prefix);
        } catch (InvalidConfiguration $e) {
            $theirs = "Redis connection \"$connection\" in config/database.php";
            throw self::fault($connection === null ? self::setting('url') : "The $theirs", $url)
                ?? self::fault(self::setting('timeout'), $url, timeout: $timeout)
                ?? self::fault((string) $config['prefix'] === '' ? "The prefix of the $theirs" : self::setting('prefix'), $url, prefix: $prefix)
                ?? $e;
        }
    }

    private static function setting(string $key): string
    {
        return "The $key in config/ratelimit.php (RATELIMIT_" . strtoupper($key) . ')';
    }

    /**
     * The extension says what is wrong with a value, but not whence it came.
     *
     * @return ?InvalidConfiguration null: the value is right
     */
    private static function fault(string $setting, #[\SensitiveParameter] string $url, mixed $timeout = null, ?string $prefix = null): ?InvalidConfiguration
    {
        try {
            ConfiguredRateLimiter::create($url, $timeout, $prefix);

            return null;
        } catch (InvalidConfiguration $e) {
            return new InvalidConfiguration(sprintf('%s cannot be used: %s.', $setting, rtrim($e->getMessage(), '.')), 0, $e);
        }
    }
}
