<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Tests\Support\FpmPool;
use RedisRateLimit\Tests\Support\Nginx;
use RedisRateLimit\Tests\Support\RedisServer;
use RedisRateLimit\Tests\Support\TemporaryDirectory;

/** A script on four FPM workers behind nginx, with a Redis of its own. */
final class Site
{
    public readonly Nginx $nginx;
    public readonly FpmPool $pool;
    public readonly RedisServer $redis;
    private readonly TemporaryDirectory $directory;

    /**
     * @param int                   $timeout ratelimit.timeout_ms
     * @param array<string, string> $ini     further settings
     */
    public function __construct(string $script, int $timeout, array $ini = [])
    {
        $this->directory = new TemporaryDirectory();
        $this->redis = new RedisServer();
        $this->pool = new FpmPool(4, $ini + ['ratelimit.url' => $this->redis->tcpUrl(), 'ratelimit.timeout_ms' => (string) $timeout]);
        $this->nginx = new Nginx($this->pool, $this->directory->write('index.php', $script));
    }
}
