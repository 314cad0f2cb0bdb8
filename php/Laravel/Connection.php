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
    /** @throws \InvalidArgumentException for a connection or value that cannot be used */
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
            throw self::wrongUrl($url, $connection) ?? $e;
        }
    }

    /**
     * The extension says what is wrong with a URL, but not whence it came.
     *
     * @param ?string $connection of Laravel's that the URL stands for
     *
     * @return ?InvalidConfiguration null: the URL is right
     */
    private static function wrongUrl(#[\SensitiveParameter] string $url, ?string $connection): ?InvalidConfiguration
    {
        try {
            new RateLimiter($url);

            return null;
        } catch (InvalidConfiguration $e) {
            $setting = $connection === null
                ? 'The url in config/ratelimit.php (RATELIMIT_URL)'
                : "The Redis connection \"$connection\" in config/database.php";

            return new InvalidConfiguration("$setting cannot be used: {$e->getMessage()}.", 0, $e);
        }
    }
}
