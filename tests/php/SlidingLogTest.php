<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Policy;

final class SlidingLogTest extends RedisTestCase
{
    public function testAnEntryLeavesWhenItIsExactlyOneIntervalOld(): void
    {
        $policy = Policy::slidingLog('p', 2, 10);
        $this->limiter->consume($policy, 'alice');
        $this->clockAt(4);
        self::assertAllowed(0, $this->limiter->consume($policy, 'alice'));

        $this->clockAt(9.999999);
        $refusal = $this->limiter->consume($policy, 'alice');
        self::assertRefused(0.000001, $refusal);
        self::assertSame(self::T0 + 10.0, $refusal->resetAt);

        $this->clockAt(10);
        $next = $this->limiter->consume($policy, 'alice');
        self::assertAllowed(0, $next);
        self::assertSame(self::T0 + 14.0, $next->resetAt);
    }

    public function testNoWindowEverHoldsMoreThanTheLimit(): void
    {
        $policy = Policy::slidingLog('p', 7, 10);
        mt_srand(20260101);
        $allowed = [];
        for ($call = 0, $time = 0; $call < 2000; $call++) {
            $time += mt_rand(0, 2_000_000);
            self::$clock->setMicroseconds(self::T0 * 1_000_000 + $time);
            $inWindow = count(array_filter($allowed, static fn (int $at) => $at > $time - 10_000_000));
            $decision = $this->limiter->consume($policy, 'alice');
            self::assertSame($inWindow < 7, $decision->allowed, "call $call");
            if ($decision->allowed) {
                $allowed[] = $time;
            }
        }
    }

    public function testMemoryPerEntryIsSmall(): void
    {
        foreach ([10, 100, 1000, 10_000] as $entries) {
            $policy = Policy::slidingLog("p$entries", $entries, 86_400);
            self::assertSame($entries, $this->allowed($entries, $policy));

            $bytes = self::$redis->command('MEMORY', 'USAGE', "rl:p$entries:alice:global", 'SAMPLES', '0');

            self::assertLessThanOrEqual(8 * $entries + 250, $bytes, "$entries entries");
        }
    }
}
