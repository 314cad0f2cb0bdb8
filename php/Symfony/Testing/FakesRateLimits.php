<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Testing;

use PHPUnit\Framework\Attributes\After;
use RedisRateLimit\Testing\FakeLimiter;

/**
 * For an application's functional tests, with `redis_rate_limit: { fake: true }` in its test environment:
 *
 *     $this->rateLimits()->denyAfter(2, 'export');
 *     $client->request('GET', '/export');
 *     $this->rateLimits()->assertConsumed('export', times: 1);
 */
trait FakesRateLimits
{
    protected function rateLimits(): FakeLimiter
    {
        return SharedFake::limiter();
    }

    /** @after */
    #[After]
    protected function forgetRateLimits(): void
    {
        SharedFake::forget();
    }
}
