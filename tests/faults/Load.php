<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Tests\Support\Process;
use RedisRateLimit\Tests\Support\TemporaryDirectory;

/** Clients in a process of their own that send one request after the other for a while. */
final class Load
{
    private readonly TemporaryDirectory $directory;
    private readonly Process $process;

    public function __construct(string $url, private readonly float $seconds, int $clients = 16)
    {
        $this->directory = new TemporaryDirectory('ratelimit-load');
        $command = [PHP_BINARY, __DIR__ . '/load-process.php', $url, (string) $seconds, (string) $clients];
        $this->process = Process::start($command, $this->directory->path . '/output');
    }

    /**
     * Waits for its end. One answer after the other, for a fast machine gives more of them than fit into memory.
     *
     * @return \Generator<array{at: float, seconds: float, status: int, body: string}> in the order of arrival; at is Unix time
     */
    public function answers(): \Generator
    {
        $this->process->waitForEnd($this->seconds + 60);
        $lines = fopen($this->process->output, 'r');
        while (($line = fgets($lines)) !== false) {
            [$at, $seconds, $status, $body] = explode("\t", rtrim($line, "\n"), 4);
            yield ['at' => (float) $at, 'seconds' => (float) $seconds, 'status' => (int) $status, 'body' => $body];
        }
        fclose($lines);
    }
}
