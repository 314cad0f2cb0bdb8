<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;

/** After exactly retryAfter the same cost passes; one microsecond earlier it does not. */
final class WaitTest extends RedisTestCase
{
    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testRetryAfterIsTrueToTheMicrosecond(string $kind): void
    {
        // 7 in 11 seconds: no rate that a float or a whole microsecond could hold.
        $policy = self::policy($kind, 7, 11);
        $refusals = 0;
        $now = self::T0 * 1_000_000;
        for ($call = 0; $call < 200; $call++) {
            $cost = 1 + $call % 3;
            self::$clock->setMicroseconds($now += 1 + 137_137 * ($call % 7));
            $decision = $this->limiter->consume($policy, 'alice', cost: $cost);
            if ($decision->allowed) {
                continue;
            }
            $refusals++;
            $wait = (int) round($decision->retryAfter * 1e6);
            self::assertGreaterThan(0, $wait);
            self::$clock->setMicroseconds($now + $wait - 1);
            self::assertRefused(0.000001, $this->limiter->consume($policy, 'alice', cost: $cost));
            self::$clock->setMicroseconds($now += $wait);
            self::assertTrue($this->limiter->consume($policy, 'alice', cost: $cost)->allowed, "call $call");
        }
        self::assertGreaterThan(20, $refusals);
    }
}
