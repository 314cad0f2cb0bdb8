<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Policy;

/** A shared policy is one budget for every tenant. */
final class SharedTest extends RedisTestCase
{
    public function testAllTenantsDrawOnOneBudget(): void
    {
        $policy = Policy::fixedWindow('p', 3, 60)->shared();

        self::assertAllowed(2, $this->limiter->consume($policy, 'alice'));
        self::assertAllowed(1, $this->limiter->consume($policy, 'bob'));
        self::assertCount(1, self::$redis->keys());
    }

    public function testEveryScopeStillHasItsOwn(): void
    {
        $policy = Policy::fixedWindow('p', 3, 60)->shared();
        $this->limiter->consume($policy, 'alice', 'read');

        self::assertAllowed(2, $this->limiter->consume($policy, 'alice', 'write'));
    }

    public function testAGlobalCeilingStandsBesideTheTenantsOwnLimits(): void
    {
        $policy = Policy::compound('p', Policy::fixedWindow('own', 4, 60), Policy::fixedWindow('all', 10, 60)->shared());

        self::assertSame(4, $this->allowed(6, $policy, 'alice'));
        self::assertSame(4, $this->allowed(6, $policy, 'bob'));
        self::assertSame(2, $this->allowed(6, $policy, 'carol'));
        $refusal = $this->limiter->consume($policy, 'carol');
        self::assertSame('all', $refusal->window);
    }
}
