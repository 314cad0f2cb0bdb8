<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Policy;

/** What a client is told: never more than is known, and never less time than it must wait. */
final class HeadersTest extends RedisTestCase
{
    public function testAnAllowedDecision(): void
    {
        $this->clockAt(0.2);
        $decision = $this->limiter->consume(Policy::fixedWindow('api', 100, 60), 'alice', cost: 40);

        self::assertSame(
            ['X-RateLimit-Limit' => '100', 'X-RateLimit-Remaining' => '60', 'X-RateLimit-Reset' => (string) (self::T0 + 61)],
            $decision->toHeaders(),
        );
        self::assertSame(['RateLimit-Policy' => '"api";q=100;w=60', 'RateLimit' => '"api";r=60;t=60'], $decision->toStandardHeaders());
    }

    public function testARefusal(): void
    {
        $policy = Policy::tokenBucket('api', 2, 1, 10);
        $this->limiter->consume($policy, 'alice', cost: 2);
        $this->clockAt(2.5);
        $decision = $this->limiter->consume($policy, 'alice', cost: 2);

        self::assertRefused(17.5, $decision);
        self::assertSame([
            'X-RateLimit-Limit' => '2', 'X-RateLimit-Remaining' => '0', 'X-RateLimit-Reset' => (string) (self::T0 + 10),
            'Retry-After' => '18',
        ], $decision->toHeaders());
        self::assertSame(['RateLimit-Policy', 'RateLimit', 'Retry-After'], array_keys($decision->toStandardHeaders()));
        self::assertSame('"api";r=0;t=8', $decision->toStandardHeaders()['RateLimit']);
        self::assertSame('18', $decision->toStandardHeaders()['Retry-After']);
    }

    public function testEveryWindowOfACompound(): void
    {
        $policy = Policy::compound('api', Policy::fixedWindow('burst', 5, 0.25), Policy::fixedWindow('daily', 1000, '1 day'));
        $decision = $this->limiter->consume($policy, 'alice');

        self::assertSame([
            'RateLimit-Policy' => '"burst";q=5;w=1, "daily";q=1000;w=86400',
            'RateLimit' => '"burst";r=4;t=1, "daily";r=999;t=86400',
        ], $decision->toStandardHeaders());
        self::assertSame(
            ['X-RateLimit-Limit' => '5', 'X-RateLimit-Remaining' => '4', 'X-RateLimit-Reset' => (string) (self::T0 + 1)],
            $decision->toHeaders(),
        );
    }
}
