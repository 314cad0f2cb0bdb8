<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;

/** Who was refused until t is refused until t, by any worker, without asking Redis again. */
final class RefusalCacheTest extends RedisTestCase
{
    protected function setUp(): void
    {
        ini_set('ratelimit.refusal_cache_ttl_ms', '60000');
        parent::setUp();
    }

    protected function tearDown(): void
    {
        ini_set('ratelimit.refusal_cache_ttl_ms', '0');
        parent::tearDown();
    }

    public function testASecondRefusalAsksNobodyAndSaysTheSame(): void
    {
        $policy = Policy::fixedWindow('p', 2, 3600);
        self::assertSame(2, $this->allowed(2, $policy));
        $first = $this->limiter->consume($policy, 'alice');
        $commands = $this->evaluations();
        $second = $this->limiter->consume($policy, 'alice');

        self::assertSame($commands, $this->evaluations());
        self::assertSame([false, true], [$first->cached, $second->cached]);
        self::assertFalse($second->allowed);
        self::assertSame(0, $second->remaining);
        self::assertSame($first->resetAt, $second->resetAt);
        self::assertSame('limited', $second->reason);
        self::assertLessThanOrEqual($first->retryAfter, $second->retryAfter);
        self::assertGreaterThan(3590.0, $second->retryAfter);
    }

    public function testAnotherCostTenantPolicyOrScopeIsAnotherCall(): void
    {
        $policy = Policy::fixedWindow('p', 2, 3600);
        $this->limiter->consume($policy, 'alice', cost: 2);
        $this->limiter->consume($policy, 'alice');

        self::assertTrue($this->limiter->consume($policy, 'alice')->cached);
        self::assertFalse($this->limiter->consume($policy, 'alice', cost: 2)->cached);
        self::assertTrue($this->limiter->consume($policy, 'bob')->allowed);
        self::assertTrue($this->limiter->consume($policy, 'alice', 'other')->allowed);
        self::assertTrue($this->limiter->consume(Policy::fixedWindow('p', 3, 3600), 'alice')->allowed);
    }

    public function testAResetOrRefundIsSeenAtOnce(): void
    {
        $policy = Policy::fixedWindow('p', 1, 3600);
        $allowed = $this->limiter->consume($policy, 'alice');
        $this->limiter->consume($policy, 'alice');
        self::assertTrue($this->limiter->consume($policy, 'alice')->cached);

        self::assertTrue($this->limiter->refund($allowed));
        self::assertTrue($this->limiter->consume($policy, 'alice')->allowed);
        self::assertFalse($this->limiter->consume($policy, 'alice')->cached);
        self::assertTrue($this->limiter->reset($policy, 'alice'));
        self::assertTrue($this->limiter->consume($policy, 'alice')->allowed);
    }

    public function testAPeekAlwaysLooks(): void
    {
        $policy = Policy::fixedWindow('p', 1, 3600);
        self::assertSame(1, $this->allowed(3, $policy));

        self::assertFalse($this->limiter->peek($policy, 'alice')->cached);
    }

    public function testARefusalThatACheaperCallCouldChangeIsNotRemembered(): void
    {
        $policy = Policy::fixedWindow('p', 5, 3600);
        $this->limiter->consume($policy, 'alice', cost: 3);

        self::assertFalse($this->limiter->consume($policy, 'alice', cost: 3)->cached);
        self::assertFalse($this->limiter->consume($policy, 'alice', cost: 3)->cached);
        self::assertFalse($this->limiter->consume($policy, 'alice', cost: 6)->cached, 'nor one that no wait can help');
    }

    public function testItCanBeTurnedOff(): void
    {
        ini_set('ratelimit.refusal_cache_ttl_ms', '0');
        $limiter = new RateLimiter(self::$redis->url());
        $policy = Policy::fixedWindow('p', 1, 3600);
        for ($i = 0; $i < 3; $i++) {
            self::assertFalse($limiter->consume($policy, 'alice')->cached);
        }
    }

    private function evaluations(): int
    {
        $calls = preg_match('/cmdstat_evalsha:calls=(\d+)/', self::$redis->command('INFO', 'commandstats'), $match);

        return $calls === 1 ? (int) $match[1] : 0;
    }
}
