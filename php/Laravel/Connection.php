<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel;

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
        $timeout = $config['timeout'] === null ? null : (float) $config['timeout'];
        if ($config['url'] !== null) {
            return new RateLimiter($config['url'], $timeout, $config['prefix']);
        }
        $prefix = $config['prefix'] ?? ConnectionUrl::prefix($redis, $config['connection']) . 'rl';

        return new RateLimiter(ConnectionUrl::of($redis, $config['connection']), $timeout, $prefix);
    }
}
