<?php

/** The time of what waits in php/Symfony/Limiter: PHP finds these before its own functions, if they are there at the first call. */

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Limiter;

use RedisRateLimit\Tests\Support\Sleep;

function usleep(int $microseconds): void
{
    Sleep::for($microseconds);
}

function hrtime(bool $asNumber): int
{
    return Sleep::nanoseconds();
}
