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
    private const NAMES = [
        'url' => 'The url in config/ratelimit.php (RATELIMIT_URL)',
        'timeout' => 'The timeout in config/ratelimit.php (RATELIMIT_TIMEOUT)',
        'prefix' => 'The prefix in config/ratelimit.php (RATELIMIT_PREFIX)',
    ];

    /** @throws \InvalidArgumentException for a connection or value that cannot be used, which it names by its setting */
    public static function of(Repository $settings): RateLimiter
    {
        /** @var Config $config */
        $config = $settings->get('ratelimit');
        // RATELIMIT_URL= in .env is an empty text, and means that there is none. So with the rest.
        $url = $config['url'] === '' ? null : $config['url'];
        $timeout = $config['timeout'] === '' ? null : $config['timeout'];
        $prefix = $config['prefix'] === '' ? null : $config['prefix'];
        $names = self::NAMES;
        if ($url === null) {
            $connection = $config['connection'] ?: 'default';
            /** @var array<string, mixed> $redis */
            $redis = $settings->get('database.redis', []);
            $url = ConnectionUrl::of($redis, $connection);
            $names['url'] = "The Redis connection \"$connection\" in config/database.php";
            if ($prefix === null) {
                $prefix = ConnectionUrl::prefix($redis, $connection) . 'rl';
                $names['prefix'] = "The prefix of the Redis connection \"$connection\" in config/database.php";
            }
        }

        return ConfiguredRateLimiter::create($url, $timeout, $prefix, $names);
    }
}
