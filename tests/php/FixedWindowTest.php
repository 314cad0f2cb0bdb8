<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Policy;

final class FixedWindowTest extends RedisTestCase
{
    public function testTheWindowOpensAtTheFirstHitAndTheLastTokenIsGiven(): void
    {
        $policy = Policy::fixedWindow('p', 5, 3600);
        foreach ([1000, 1002.5, 1005, 1007.5] as $number => $time) {
            $this->clockAt($time);
            self::assertAllowed(4 - $number, $this->limiter->consume($policy, 'alice'));
        }

        $this->clockAt(1010);
        $fifth = $this->limiter->consume($policy, 'alice');
        self::assertAllowed(0, $fifth);
        self::assertSame(['X-RateLimit-Limit' => '5', 'X-RateLimit-Remaining' => '0', 'X-RateLimit-Reset' => (string) (self::T0 + 4600)], $fifth->toHeaders());

        $this->clockAt(1010.2);
        $sixth = $this->limiter->consume($policy, 'alice');
        self::assertRefused(3589.8, $sixth);
        self::assertSame('3590', $sixth->toHeaders()['Retry-After']);

        $this->clockAt(4599.9);
        $early = $this->limiter->consume($policy, 'alice');
        self::assertRefused(0.1, $early);
        self::assertSame('1', $early->toHeaders()['Retry-After']);

        $this->clockAt(4600);
        $next = $this->limiter->consume($policy, 'alice');
        self::assertAllowed(4, $next);
        self::assertSame(self::T0 + 8200.0, $next->resetAt);
    }

    public function testAnAlignedWindowBeginsAtMultiplesOfItsLengthForAll(): void
    {
        $policy = Policy::fixedWindow('p', 1, 3600, aligned: true);
        $this->clockAt(1000);

        self::assertSame(self::T0 + 3600.0, $this->limiter->consume($policy, 'alice')->resetAt);
        self::assertRefused(2600.0, $this->limiter->consume($policy, 'alice'));
        $this->clockAt(3599.999999);
        self::assertRefused(0.000001, $this->limiter->consume($policy, 'alice'));
        $this->clockAt(3600);
        self::assertAllowed(0, $this->limiter->consume($policy, 'alice'));
    }
}
