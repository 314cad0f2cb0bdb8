<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel;

use RedisRateLimit\ConfiguredRateLimiter;
use RedisRateLimit\RateLimiter;

/** Connects the extension to the URL of config/ratelimit.php, or to where a connection of Laravel's goes. */
final class Connection
{
    /**
     * @param array<string, mixed> $config that of config/ratelimit.php
     * @param array<string, mixed> $redis  the redis section of config/database.php
     */
    public static function of(array $config, array $redis): RateLimiter
    {
        // RATELIMIT_URL= in .env is an empty text, and means that there is none.
        [$url, $timeout, $prefix] = array_map(
            static fn (string $key): mixed => $config[$key] === '' ? null : $config[$key],
            ['url', 'timeout', 'prefix'],
        );
        if ($url === null) {
            $url = ConnectionUrl::of($redis, $config['connection']);
            $prefix ??= ConnectionUrl::prefix($redis, $config['connection']) . 'rl';
        }

        return ConfiguredRateLimiter::create($url, $timeout, $prefix);
    }
}
