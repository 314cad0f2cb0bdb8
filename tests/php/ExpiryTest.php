<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Policy;

/** No key lives for ever, whatever was done to it. */
final class ExpiryTest extends RedisTestCase
{
    private const WINDOW = 60;

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testEveryKeyExpiresAfterWhateverWasDone(string $kind): void
    {
        foreach ([10, 100] as $limit) {
            $policy = self::policy($kind, $limit, self::WINDOW);
            $tenant = "tenant $limit";
            $first = $this->limiter->consume($policy, $tenant);
            $this->assertEveryKeyExpires('allowed');
            $this->clockAt(7);
            $second = $this->limiter->consume($policy, $tenant, cost: 9);
            $this->assertEveryKeyExpires('cost > 1');
            $this->allowed($limit, $policy, $tenant);
            self::assertFalse($this->limiter->consume($policy, $tenant)->allowed);
            $this->assertEveryKeyExpires('refused');
            self::assertTrue($this->limiter->refund($second));
            $this->limiter->refund($first);
            $this->assertEveryKeyExpires('refund');
            $this->limiter->consume($policy->shadow(), $tenant, cost: $limit);
            $this->assertEveryKeyExpires('shadow');
            self::assertNotSame([], self::$redis->keys());
            self::assertTrue($this->limiter->reset($policy, $tenant));
            self::assertSame([], self::$redis->keys());
            $this->clockAt(0);
        }
    }

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testAStateIsKeptForAsLongAsItCounts(string $kind): void
    {
        $policy = self::policy($kind, 10, self::WINDOW);
        $this->limiter->consume($policy, 'alice', cost: 10);
        $this->clockAt(self::WINDOW - 0.000001);

        self::assertNotSame(10, $this->limiter->peek($policy, 'alice')->remaining);
    }

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testTheNextAllowedCallGivesALostTtlBack(string $kind): void
    {
        foreach ([10, 100] as $limit) {
            $policy = self::policy($kind, $limit, self::WINDOW);
            $this->limiter->consume($policy, 'alice', cost: $limit - 2);
            foreach (self::$redis->keys() as $key) {
                self::assertSame(1, self::$redis->command('PERSIST', $key));
            }
            self::assertTrue($this->limiter->consume($policy, 'alice')->allowed);
            $this->assertEveryKeyExpires('after PERSIST');
            self::$redis->command('FLUSHALL');
        }
    }

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testRefundAndResetOfWhatIsNotThereCreateNothing(string $kind): void
    {
        $policy = self::policy($kind);
        $decision = $this->limiter->consume($policy, 'alice');
        self::$redis->command('FLUSHALL');

        self::assertFalse($this->limiter->refund($decision));
        self::assertFalse($this->limiter->reset($policy, 'alice'));
        self::assertSame([], self::$redis->keys());
    }

    public function testABucketLivesForTheTimeItTakesToFill(): void
    {
        $this->limiter->consume(Policy::tokenBucket('p', 100, 1, 10), 'alice');

        $ttl = self::$redis->command('PTTL', 'rl:p:alice:global');
        self::assertGreaterThanOrEqual(1_000_000, $ttl);
        self::assertLessThanOrEqual(2 * 1_000_000 + 2000, $ttl);
    }

    private function assertEveryKeyExpires(string $after): void
    {
        foreach (self::$redis->keys() as $key) {
            $ttl = self::$redis->command('PTTL', $key);
            self::assertGreaterThan(0, $ttl, "$after: $key");
            self::assertLessThanOrEqual(2 * self::WINDOW * 1000 + 2000, $ttl, "$after: $key");
        }
    }
}
