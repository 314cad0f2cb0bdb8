<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Policy;

/** A policy's numbers change while tenants have state: the new ones hold at once. */
final class PolicyChangeTest extends RedisTestCase
{
    public function testALoweredCapacityCapsWhatWasSaved(): void
    {
        self::assertAllowed(999, $this->limiter->consume(Policy::tokenBucket('p', 1000, 1, 10), 'alice'));
        $lowered = Policy::tokenBucket('p', 10, 1, 10);

        self::assertRefused(null, $this->limiter->consume($lowered, 'alice', cost: 11));
        self::assertSame(10, $this->allowed(50, $lowered));
    }

    public function testARaisedCapacityGivesNothingAway(): void
    {
        $this->limiter->consume(Policy::tokenBucket('p', 10, 1, 1), 'alice', cost: 10);
        $raised = Policy::tokenBucket('p', 20, 1, 1);

        self::assertSame(0, $this->limiter->peek($raised, 'alice')->remaining);
        $this->clockAt(5);
        self::assertSame(5, $this->limiter->peek($raised, 'alice')->remaining);
    }

    public function testARaisedLimitAddsOnlyTheDifference(): void
    {
        self::assertSame(10, $this->allowed(50, Policy::fixedWindow('p', 10, 60)));
        self::assertSame(10, $this->allowed(50, Policy::fixedWindow('p', 20, 60)));
    }

    /** @dataProvider pairs */
    #[DataProvider('pairs')]
    public function testAnotherAlgorithmUnderTheSameNameStartsClean(string $old, string $new): void
    {
        $this->limiter->consume(self::policy($old), 'alice', cost: 10);

        self::assertAllowed(10, $this->limiter->peek(self::policy($new), 'alice'));
        self::assertAllowed(9, $this->limiter->consume(self::policy($new), 'alice'));
        self::assertAllowed(8, $this->limiter->consume(self::policy($new), 'alice'));
    }

    /** @return array<string, array{string, string}> kinds of which each has a state of its own form */
    public static function pairs(): array
    {
        $kinds = ['token bucket', 'sliding log', 'audit log', 'sliding window', 'fixed window'];
        $pairs = [];
        foreach ($kinds as $old) {
            foreach ($kinds as $new) {
                if ($old !== $new) {
                    $pairs["$old to $new"] = [$old, $new];
                }
            }
        }

        return $pairs;
    }
}
