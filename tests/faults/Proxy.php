<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Tests\Support\Port;
use RedisRateLimit\Tests\Support\Process;
use RedisRateLimit\Tests\Support\RedisServer;
use RedisRateLimit\Tests\Support\TemporaryDirectory;

/** Lies between the extension and a server, and at random delays replies, cuts them short, loses them or hangs up. */
final class Proxy
{
    public readonly int $port;

    private readonly TemporaryDirectory $directory;
    private readonly Process $process;

    public function __construct(RedisServer $redis, int $seed)
    {
        $this->port = Port::free();
        $this->directory = new TemporaryDirectory('ratelimit-proxy');
        $command = [PHP_BINARY, '-n', __DIR__ . '/proxy-process.php', (string) $this->port, $redis->url(), (string) $seed];
        $this->process = Process::start($command, $this->directory->path . '/output');
        $this->process->waitUntil(fn () => str_contains((string) @file_get_contents($this->process->output), 'listening'));
    }

    public function url(): string
    {
        return "redis://127.0.0.1:{$this->port}";
    }
}
