<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/** What a load generator saw. */
final class LoadRun
{
    /** @param list<float> $micros of each request */
    public function __construct(public readonly float $seconds, public readonly array $micros)
    {
    }
}
