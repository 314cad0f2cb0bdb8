<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Console;

use RedisRateLimit\Laravel\RateLimits;

/** For health checks. */
final class PingCommand extends PolicyCommand
{
    protected $signature = 'ratelimit:ping';
    protected $description = 'Measure the round trip to Redis';

    public function handle(RateLimits $limits): int
    {
        $this->info(sprintf('%.3f ms', $limits->ping() * 1_000));

        return self::SUCCESS;
    }
}
