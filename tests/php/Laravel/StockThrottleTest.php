<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

/** Laravel's own limiter: shows that the contract is the truth. */
final class StockThrottleTest extends ThrottleContract
{
    protected function leftOfTheFirstLimit(): int
    {
        return version_compare($this->app->version(), '13', '<') ? 0 : 1;
    }
}
