<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/** A key as it is now, with its time to live, to be had again before each batch. */
final class Snapshot
{
    public function __construct(private readonly \Redis $redis, private readonly string $key)
    {
        $this->copy($key, "$key:kept");
    }

    public function restore(): void
    {
        $this->copy("{$this->key}:kept", $this->key);
    }

    private function copy(string $from, string $to): void
    {
        if ($this->redis->rawCommand('COPY', $from, $to, 'REPLACE') !== 1) {
            throw new \LogicException("There is no $from to be copied");
        }
    }
}
