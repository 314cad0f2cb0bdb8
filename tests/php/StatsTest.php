<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;

/** What a worker counts, and whether its server is there. */
final class StatsTest extends RedisTestCase
{
    public function testEveryCounterCountsItsOwnThing(): void
    {
        self::$redis->command('SCRIPT', 'FLUSH');
        $policy = Policy::fixedWindow('p', 2, 60);
        $before = RateLimiter::stats();
        self::assertSame(['decisions', 'allowed', 'refused', 'shadowed', 'degraded', 'errors', 'connects', 'script_loads', 'circuits'], array_keys($before));

        self::assertSame(2, $this->allowed(5, $policy));
        $this->limiter->consume($policy->shadow(), 'alice');
        self::warningsOf(static fn () => (new RateLimiter('redis://127.0.0.1:1'))->consume($policy, 'alice'));

        $counted = [];
        foreach (array_diff_key(RateLimiter::stats(), ['circuits' => true]) as $name => $count) {
            $counted[$name] = $count - $before[$name];
        }
        self::assertSame(7, $counted['decisions']);
        self::assertSame(4, $counted['allowed']);
        self::assertSame(3, $counted['refused']);
        self::assertSame(1, $counted['shadowed']);
        self::assertSame(1, $counted['degraded']);
        self::assertSame(1, $counted['script_loads']);
        self::assertLessThanOrEqual(1, $counted['connects']);
    }

    public function testPingIsOneRoundTripInSeconds(): void
    {
        $seconds = $this->limiter->ping();

        self::assertGreaterThan(0.0, $seconds);
        self::assertLessThan(10.0, $seconds);
    }
}
