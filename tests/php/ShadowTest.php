<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Policy;

/** A policy in shadow mode counts and reports, and never refuses. */
final class ShadowTest extends RedisTestCase
{
    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testWhatWouldHaveBeenRefusedIsAllowedAndMarked(string $kind): void
    {
        $policy = self::policy($kind)->shadow();
        for ($i = 0; $i < 10; $i++) {
            $decision = $this->limiter->consume($policy, 'alice');
            self::assertAllowed(9 - $i, $decision);
            self::assertFalse($decision->shadow);
        }

        $decision = $this->limiter->consume($policy, 'alice');
        self::assertTrue($decision->allowed);
        self::assertTrue($decision->shadow);
        self::assertSame('limited', $decision->reason);
        self::assertSame(0, $decision->remaining);
        self::assertArrayNotHasKey('Retry-After', $decision->toHeaders());
        self::assertSame($decision, $decision->ensureAllowed());
    }

    public function testOutOfShadowTheSameStateRefuses(): void
    {
        $policy = self::policy('fixed window');
        $this->limiter->consume($policy->shadow(), 'alice', cost: 10);

        self::assertFalse($this->limiter->consume($policy, 'alice')->allowed);
        self::assertTrue($this->limiter->consume($policy->shadow(false)->shadow(), 'alice')->allowed);
    }

    public function testAMemberInShadowRefusesNobodyAndIsChargedWhileItPasses(): void
    {
        $policy = Policy::compound('p', Policy::fixedWindow('real', 5, 60), Policy::fixedWindow('trial', 2, 60)->shadow());

        self::assertSame(5, $this->allowed(10, $policy));
        $left = array_column($this->limiter->peek($policy, 'alice')->windows, 'remaining', 'window');
        self::assertSame(['real' => 0, 'trial' => 0], $left);
    }

    public function testAMemberInShadowIsNotChargedForWhatAnotherRefuses(): void
    {
        $policy = Policy::compound('p', Policy::fixedWindow('real', 1, 60), Policy::fixedWindow('trial', 5, 60)->shadow());
        $this->allowed(4, $policy);

        $left = array_column($this->limiter->peek($policy, 'alice')->windows, 'remaining', 'window');
        self::assertSame(['real' => 0, 'trial' => 4], $left);
    }
}
