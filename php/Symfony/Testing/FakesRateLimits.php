<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Testing;

use PHPUnit\Framework\Attributes\After;
use RedisRateLimit\Testing\FakeLimiter;
use Symfony\Bundle\FrameworkBundle\Test\KernelTestCase;

/**
 * For an application's functional tests, with `redis_rate_limit: { fake: true }` in its test environment:
 *
 *     $this->rateLimits()->denyAfter(2, 'export');
 *     $client->request('GET', '/export');
 *     $this->rateLimits()->assertConsumed('export', times: 1);
 */
trait FakesRateLimits
{
    /** @throws \LogicException where the application of a KernelTestCase does not ask the fake */
    protected function rateLimits(): FakeLimiter
    {
        if ($this instanceof KernelTestCase) {
            // Before createClient() another kernel, for Symfony refuses to create the client after its own is booted.
            SharedFake::mustBeUsedBy(static::$booted ? static::$kernel : static::createKernel(), static::$booted);
        }

        return SharedFake::limiter();
    }

    /** @after */
    #[After]
    protected function forgetRateLimits(): void
    {
        SharedFake::forget();
    }
}
