<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Policy;

final class SlidingWindowTest extends RedisTestCase
{
    public function testThePreviousWindowCountsByItsOverlap(): void
    {
        $policy = Policy::slidingWindow('p', 10, 60);
        self::assertAllowed(2, $this->limiter->consume($policy, 'alice', cost: 8));

        // A quarter of the next window is over: 8 * 3/4 = 6 still count.
        $this->clockAt(75);
        self::assertSame(4, $this->limiter->peek($policy, 'alice')->remaining);
        self::assertAllowed(0, $this->limiter->consume($policy, 'alice', cost: 4));

        // Another one needs 8 * rest <= 5 * 60 less: rest <= 37.5, so 7.5 seconds on.
        self::assertRefused(7.5, $this->limiter->consume($policy, 'alice'));
    }

    public function testWaitingForTheCurrentCountReachesIntoTheNextWindow(): void
    {
        $policy = Policy::slidingWindow('p', 10, 60);
        $this->limiter->consume($policy, 'alice', cost: 10);
        $this->clockAt(20);

        // At 60 all ten count as previous; one fewer does after a tenth of the window, at 66.
        $refusal = $this->limiter->consume($policy, 'alice');
        self::assertRefused(46.0, $refusal);
        self::assertSame(self::T0 + 60.0, $refusal->resetAt);
    }

    public function testAnIdleWindowBetweenForgetsAll(): void
    {
        $policy = Policy::slidingWindow('p', 10, 60);
        $this->limiter->consume($policy, 'alice', cost: 10);
        $this->clockAt(120);

        self::assertAllowed(0, $this->limiter->consume($policy, 'alice', cost: 10));
    }
}
