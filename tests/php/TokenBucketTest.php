<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Policy;

final class TokenBucketTest extends RedisTestCase
{
    public function testCallsAtExactlyTheRateAllPass(): void
    {
        foreach ([1, 1200] as $capacity) {
            $policy = Policy::tokenBucket("p$capacity", $capacity, 1200, 60);
            $allowed = 0;
            for ($call = 0; $call < 2400; $call++) {
                $this->clockAt($call * 0.05);
                $allowed += (int) $this->limiter->consume($policy, 'alice')->allowed;
            }
            self::assertSame(2400, $allowed, "capacity $capacity");
        }
    }

    public function testWhatCameBackBetweenTwoCallsCounts(): void
    {
        $policy = Policy::tokenBucket('p', 10, 2, 1);

        self::assertAllowed(9, $this->limiter->consume($policy, 'alice'));
        $this->clockAt(0.6);
        self::assertAllowed(0, $this->limiter->consume($policy, 'alice', cost: 10));
    }

    public function testNoFractionIsGainedOrLostByManyCalls(): void
    {
        $policy = Policy::tokenBucket('p', 1, 1, 3);
        $allowed = [];
        for ($call = 0; $call < 1000; $call++) {
            $this->clockAt($call / 1000);
            if ($this->limiter->consume($policy, 'alice')->allowed) {
                $allowed[] = $call;
            }
        }
        self::assertSame([0], $allowed);

        $this->clockAt(2.999999);
        self::assertRefused(0.000001, $this->limiter->consume($policy, 'alice'));
        $this->clockAt(3);
        self::assertAllowed(0, $this->limiter->consume($policy, 'alice'));
    }

    public function testACostOfTheWholeCapacityWaitsForAFullBucket(): void
    {
        $policy = Policy::tokenBucket('p', 5, 1, 10);

        self::assertAllowed(0, $this->limiter->consume($policy, 'alice', cost: 5));
        $this->clockAt(1);
        self::assertRefused(49.0, $this->limiter->consume($policy, 'alice', cost: 5));
    }

    public function testACostAboveTheCapacityNeverPassesAndTouchesNothing(): void
    {
        $policy = Policy::tokenBucket('p', 5, 1, 10);
        $this->limiter->consume($policy, 'alice', cost: 2);
        $before = self::$redis->command('DUMP', 'rl:p:alice:global');

        $refusal = $this->limiter->consume($policy, 'alice', cost: 6);

        self::assertRefused(null, $refusal);
        self::assertSame('cost_exceeds_limit', $refusal->reason);
        self::assertSame(3, $refusal->remaining);
        self::assertArrayNotHasKey('Retry-After', $refusal->toHeaders());
        self::assertArrayNotHasKey('Retry-After', $refusal->toStandardHeaders());
        self::assertSame($before, self::$redis->command('DUMP', 'rl:p:alice:global'));
    }

    public function testAWaitUnderASecondIsExactAndItsHeaderIsOneSecond(): void
    {
        $policy = Policy::tokenBucket('p', 1, 5, 1);
        self::assertAllowed(0, $this->limiter->consume($policy, 'alice'));

        $this->clockAt(0.05);
        $refusal = $this->limiter->consume($policy, 'alice');
        self::assertRefused(0.15, $refusal);
        self::assertSame('1', $refusal->toHeaders()['Retry-After']);

        $this->clockAt(0.2);
        self::assertAllowed(0, $this->limiter->consume($policy, 'alice'));
    }

    public function testResetIsWhenTheNextTokenComesAndNowWhenFull(): void
    {
        $policy = Policy::tokenBucket('p', 5, 1, 10);

        self::assertSame((float) self::T0, $this->limiter->peek($policy, 'alice')->resetAt);
        self::assertSame(self::T0 + 10.0, $this->limiter->consume($policy, 'alice', cost: 3)->resetAt);
        $this->clockAt(4);
        self::assertSame(self::T0 + 10.0, $this->limiter->peek($policy, 'alice')->resetAt);
        $this->clockAt(14);
        self::assertSame(self::T0 + 20.0, $this->limiter->peek($policy, 'alice')->resetAt);
    }
}
