<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Policy;

/** What a decision took comes back: once, and only into the window that it came from. */
final class RefundTest extends RedisTestCase
{
    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testItComesBackOnce(string $kind): void
    {
        $policy = self::policy($kind);
        $this->limiter->consume($policy, 'alice', cost: 2);
        $decision = $this->limiter->consume($policy, 'alice', cost: 3);

        self::assertTrue($this->limiter->refund($decision));
        self::assertSame(8, $this->limiter->peek($policy, 'alice')->remaining);
        self::assertFalse($this->limiter->refund($decision));
        self::assertSame(8, $this->limiter->peek($policy, 'alice')->remaining);
    }

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testNothingComesBackFromARefusalOrAPeek(string $kind): void
    {
        $policy = self::policy($kind);
        $peek = $this->limiter->peek($policy, 'alice');
        $this->limiter->consume($policy, 'alice', cost: 10);
        $refusal = $this->limiter->consume($policy, 'alice');

        self::assertFalse($refusal->allowed);
        self::assertFalse($this->limiter->refund($refusal));
        self::assertFalse($this->limiter->refund($peek));
        self::assertSame(0, $this->limiter->peek($policy, 'alice')->remaining);
    }

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testALaterWindowGetsNothing(string $kind): void
    {
        $policy = self::policy($kind);
        $old = $this->limiter->consume($policy, 'alice', cost: 4);
        $this->clockAt(121);
        self::assertAllowed(5, $this->limiter->consume($policy, 'alice', cost: 5));

        self::assertFalse($this->limiter->refund($old));
        self::assertSame(5, $this->limiter->peek($policy, 'alice')->remaining);
    }

    public function testAFullBucketOverflows(): void
    {
        $policy = Policy::tokenBucket('p', 10, 1, 1);
        $decision = $this->limiter->consume($policy, 'alice', cost: 8);
        $this->clockAt(5);

        self::assertTrue($this->limiter->refund($decision));
        self::assertSame(10, $this->limiter->peek($policy, 'alice')->remaining);
    }

    public function testACompoundGivesBackInEveryWindowThatIsStillTheSame(): void
    {
        $policy = Policy::compound('p', Policy::fixedWindow('minute', 10, 60), Policy::fixedWindow('hour', 100, 3600));
        $decision = $this->limiter->consume($policy, 'alice', cost: 6);
        $this->clockAt(60);
        $this->limiter->consume($policy, 'alice');

        self::assertTrue($this->limiter->refund($decision));
        $left = array_column($this->limiter->peek($policy, 'alice')->windows, 'remaining', 'window');
        self::assertSame(['minute' => 9, 'hour' => 99], $left);
    }

    public function testACopyOfADecisionIsNoSecondRefund(): void
    {
        $policy = Policy::fixedWindow('p', 10, 60);
        $this->limiter->consume($policy, 'alice', cost: 5);
        $decision = $this->limiter->consume($policy, 'alice');
        $copy = clone $decision;

        self::assertTrue($this->limiter->refund($copy));
        self::assertFalse($this->limiter->refund($decision));
        self::assertFalse($this->limiter->refund(\RedisRateLimit\Decision::fromArray($decision->jsonSerialize())));
        self::assertSame(5, $this->limiter->peek($policy, 'alice')->remaining);
    }

    public function testADecisionOfAnotherServerIsNamed(): void
    {
        $decision = $this->limiter->consume(Policy::fixedWindow('p', 10, 60), 'alice');

        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage(self::$redis->socket);
        (new \RedisRateLimit\RateLimiter('redis://127.0.0.1:1'))->refund($decision);
    }

    public function testUnlimitedHasNothingToGiveBack(): void
    {
        self::assertFalse($this->limiter->refund($this->limiter->consume(Policy::unlimited('free'), 'alice')));
    }

    public function testWhatAShadowedCompoundDidNotTakeDoesNotComeBack(): void
    {
        $policy = Policy::compound('p', Policy::fixedWindow('wide', 100, 60), Policy::fixedWindow('narrow', 1, 60))->shadow();
        $this->limiter->consume($policy, 'alice');
        $shadowed = $this->limiter->consume($policy, 'alice');

        self::assertTrue($shadowed->allowed && $shadowed->shadow);
        self::assertFalse($this->limiter->refund($shadowed));
        self::assertSame(99, $this->limiter->peek($policy, 'alice')->windows[0]['remaining']);
    }

    public function testABucketThatHadTimeToFillGivesNothingBack(): void
    {
        foreach ([Policy::tokenBucket('token', 10, 10, 1), Policy::leakyBucket('leaky', 10, 10, 1)] as $policy) {
            $this->clockAt(0);
            $early = $this->limiter->consume($policy, 'alice', cost: 10);
            $this->clockAt(1);
            $this->limiter->consume($policy, 'alice', cost: 10);

            self::assertFalse($this->limiter->refund($early), $policy->name);
            self::assertSame(0, $this->limiter->peek($policy, 'alice')->remaining, $policy->name);
        }
    }

    public function testARefundThatRedisHadNoRoomForCanBeTriedAgain(): void
    {
        $policy = Policy::fixedWindow('p', 5, 60);
        $decision = $this->limiter->consume($policy, 'alice', cost: 3);
        self::$redis->command('CONFIG', 'SET', 'maxmemory', '1');
        try {
            self::warningsOf(fn () => self::assertFalse($this->limiter->refund($decision)));
        } finally {
            self::$redis->command('CONFIG', 'SET', 'maxmemory', '0');
        }

        self::assertTrue($this->limiter->refund($decision));
        self::assertFalse($this->limiter->refund($decision));
        self::assertSame(5, $this->limiter->peek($policy, 'alice')->remaining);
    }
}
