<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

use RedisRateLimit\Tests\Support\RedisServer;

/** What figures were measured with: without it they say little. */
final class Environment
{
    /** @return array<string, string|false> false: that extension is not loaded */
    public static function with(RedisServer $redis): array
    {
        return [
            'php' => PHP_VERSION,
            'ratelimit' => phpversion('ratelimit'),
            'phpredis' => phpversion('redis'),
            'redis' => $redis->info('redis_version'),
            'processor' => self::processor(),
            'system' => implode(' ', array_map(php_uname(...), ['s', 'r', 'm'])),
        ];
    }

    /** Its model, or where the kernel does not tell, its architecture. */
    private static function processor(): string
    {
        preg_match('/^model name\s*: (.+)$/m', (string) file_get_contents('/proc/cpuinfo'), $found);

        return $found[1] ?? php_uname('m');
    }
}
