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
     * Waits for its end.
     *
     * @return list<array{at: float, seconds: float, status: int, body: string}> every answer in the order of arrival; at is Unix time
     */
    public function answers(): array
    {
        $this->process->waitForEnd($this->seconds + 60);
        $answers = [];
        foreach (file($this->process->output, FILE_IGNORE_NEW_LINES) as $line) {
            [$at, $seconds, $status, $body] = explode("\t", $line, 4);
            $answers[] = ['at' => (float) $at, 'seconds' => (float) $seconds, 'status' => (int) $status, 'body' => $body];
        }

        return $answers;
    }
}
