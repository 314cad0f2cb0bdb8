<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Policy;

final class LeakyBucketTest extends RedisTestCase
{
    public function testABurstIsSpacedByDelaysAndTheQueueHasAnEnd(): void
    {
        $policy = Policy::leakyBucket('p', 4, 2, 1);
        foreach ([0.0, 0.5, 1.0, 1.5] as $number => $delay) {
            $decision = $this->limiter->consume($policy, 'alice');
            self::assertAllowed(3 - $number, $decision);
            self::assertSame($delay, $decision->delay);
        }

        $refusal = $this->limiter->consume($policy, 'alice');
        self::assertRefused(0.5, $refusal);
        self::assertSame(0.0, $refusal->delay);

        $this->clockAt(0.5);
        $next = $this->limiter->consume($policy, 'alice');
        self::assertAllowed(0, $next);
        self::assertSame(1.5, $next->delay);
    }

    public function testAnIdleQueueDelaysNobody(): void
    {
        $policy = Policy::leakyBucket('p', 4, 2, 1);
        $this->limiter->consume($policy, 'alice', cost: 4);
        $this->clockAt(2);

        $decision = $this->limiter->consume($policy, 'alice');

        self::assertAllowed(3, $decision);
        self::assertSame(0.0, $decision->delay);
    }

    public function testACostAboveTheCapacityNeverPasses(): void
    {
        $refusal = $this->limiter->consume(Policy::leakyBucket('p', 4, 2, 1), 'alice', cost: 5);

        self::assertRefused(null, $refusal);
        self::assertSame('cost_exceeds_limit', $refusal->reason);
    }
}
