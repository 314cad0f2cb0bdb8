<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;

/** An unlimited policy asks nobody. */
final class UnlimitedTest extends RedisTestCase
{
    public function testItAllowsWithoutAServer(): void
    {
        $limiter = new RateLimiter('redis://127.0.0.1:1');
        foreach ([$limiter->consume(Policy::unlimited('free'), 'alice', cost: 1_000_000), $limiter->peek(Policy::unlimited('free'), 'alice')] as $decision) {
            self::assertAllowed(PHP_INT_MAX, $decision);
            self::assertSame(PHP_INT_MAX, $decision->limit);
            self::assertNull($decision->resetAt);
            self::assertNull($decision->reason);
            self::assertSame([], $decision->toHeaders());
            self::assertSame([], $decision->toStandardHeaders());
        }
    }

    public function testItLeavesNoTrace(): void
    {
        $this->limiter->consume(Policy::unlimited('free'), 'alice');

        self::assertSame([], self::$redis->keys());
    }
}
