<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\Policy;

/** A policy is an immutable rule. */
final class PolicyTest extends TestCase
{
    public function testItsPropertiesSayWhatItIs(): void
    {
        $policies = [
            ['a', 'token_bucket', 100, 10.0, Policy::tokenBucket('a', 100, 10, 10)],
            ['b', 'leaky_bucket', 20, 1.0, Policy::leakyBucket('b', 20, 5)],
            ['c', 'sliding_log', 30, 60.0, Policy::slidingLog('c', 30, '1 minute')],
            ['d', 'sliding_window', 40, 0.25, Policy::slidingWindow('d', 40, '250 ms')],
            ['e', 'fixed_window', 50, 1.5, Policy::fixedWindow('e', 50, 1.5)],
            ['f', 'compound', 30, 60.0, Policy::compound('f', Policy::fixedWindow('hour', 99, 3600), Policy::fixedWindow('minute', 30, 60))],
            ['g', 'unlimited', PHP_INT_MAX, 0.0, Policy::unlimited('g')],
        ];
        foreach ($policies as [$name, $algorithm, $limit, $interval, $policy]) {
            self::assertSame([$name, $algorithm, $limit], [$policy->name, $policy->algorithm, $policy->limit]);
            if ($algorithm !== 'unlimited') {
                self::assertSame($interval, $policy->interval);
            }
        }
    }

    public function testItIsImmutable(): void
    {
        $policy = Policy::fixedWindow('p', 10, 60);
        self::assertNotSame($policy, $policy->failClosed());
        $policy->failClosed();
        $policy->shadow();
        $policy->shared();
        self::assertSame(Policy::fixedWindow('p', 10, 60)->toArray(), $policy->toArray());

        foreach (['name', 'algorithm', 'limit', 'interval'] as $property) {
            try {
                $policy->$property = 1;
                self::fail("$property is writable");
            } catch (\Error $error) {
                self::assertSame("Cannot modify readonly property RedisRateLimit\\Policy::\$$property", $error->getMessage());
            }
        }
        $this->expectException(\Error::class);
        $policy->other = 1;
    }

    public function testItIsMadeByItsFactoriesOnly(): void
    {
        $this->expectException(\Error::class);
        $this->expectExceptionMessageMatches('/private/');
        new Policy();
    }
}
