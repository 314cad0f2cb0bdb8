<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Console;

use Illuminate\Console\Command;
use RedisRateLimit\Laravel\RateLimits;
use RedisRateLimit\StoreUnavailable;

/** For health checks: exit code 1 while Redis does not answer. */
final class PingCommand extends Command
{
    protected $signature = 'ratelimit:ping';
    protected $description = 'Measure the round trip to Redis';

    public function handle(RateLimits $limits): int
    {
        try {
            $this->info(sprintf('%.3f ms', $limits->ping() * 1_000));
        } catch (StoreUnavailable $exception) {
            $this->error($exception->getMessage());

            return self::FAILURE;
        }

        return self::SUCCESS;
    }
}
