<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel;

use Illuminate\Contracts\Config\Repository;
use RedisRateLimit\ConfiguredRateLimiter;
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
        // RATELIMIT_URL= in .env is an empty text, and means that there is none.
        $url = $config['url'] === '' ? null : $config['url'];
        $timeout = $config['timeout'] === '' ? null : $config['timeout'];
        $prefix = $config['prefix'] === '' ? null : $config['prefix'];
        if ($url === null) {
            /** @var array<string, mixed> $redis */
            $redis = $settings->get('database.redis', []);
            $url = ConnectionUrl::of($redis, $config['connection']);
            $prefix ??= ConnectionUrl::prefix($redis, $config['connection']) . 'rl';
        }

        return ConfiguredRateLimiter::create($url, $timeout, $prefix);
    }
}
