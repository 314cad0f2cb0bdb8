<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\InvalidPolicy;
use RedisRateLimit\Policy;

/** What a sliding log still holds, and who did it where it is an audit log. */
final class HistoryTest extends RedisTestCase
{
    public function testAnAuditLogNamesEveryRequestOldestFirst(): void
    {
        $policy = Policy::slidingLog('p', 10, 60, audit: true);
        $this->limiter->consume($policy, 'alice', requestId: 'first');
        $this->clockAt(1.5);
        $this->limiter->consume($policy, 'alice', cost: 3, requestId: "second \0\xff");

        self::assertSame([
            ['at' => (float) self::T0, 'cost' => 1, 'request_id' => 'first'],
            ['at' => self::T0 + 1.5, 'cost' => 3, 'request_id' => "second \0\xff"],
        ], $this->limiter->history($policy, 'alice'));
    }

    public function testARepeatedRequestIdLosesNoEntry(): void
    {
        $policy = Policy::slidingLog('p', 3, 60, audit: true);
        for ($i = 0; $i < 3; $i++) {
            self::assertAllowed(2 - $i, $this->limiter->consume($policy, 'alice', requestId: 'same'));
        }
        self::assertFalse($this->limiter->consume($policy, 'alice', requestId: 'same')->allowed);
        self::assertSame(['same', 'same', 'same'], array_column($this->limiter->history($policy, 'alice'), 'request_id'));
    }

    public function testWithoutARequestIdNoEntryIsLostEither(): void
    {
        $policy = Policy::slidingLog('p', 50, 60, audit: true);
        self::assertSame(50, $this->allowed(60, $policy));

        $ids = array_column($this->limiter->history($policy, 'alice'), 'request_id');
        self::assertSame(array_fill(0, 50, null), $ids);
    }

    public function testAPackedLogKnowsTimesAndCosts(): void
    {
        $policy = Policy::slidingLog('p', 10, 60);
        $this->limiter->consume($policy, 'alice', cost: 2, requestId: 'not kept');
        $this->clockAt(30);
        $this->limiter->consume($policy, 'alice');
        $this->clockAt(60);

        self::assertSame([['at' => self::T0 + 30.0, 'cost' => 1, 'request_id' => null]], $this->limiter->history($policy, 'alice'));
    }

    public function testOfANewTenantItIsEmptyAndMakesNoKey(): void
    {
        self::assertSame([], $this->limiter->history(Policy::slidingLog('p', 10, 60), 'nobody'));
        self::assertSame([], self::$redis->keys());
    }

    /** @dataProvider others */
    #[DataProvider('others')]
    public function testAnotherAlgorithmHasNone(string $kind): void
    {
        $this->expectException(InvalidPolicy::class);
        $this->expectExceptionMessageMatches('/slidingLog/');
        $this->limiter->history(self::policy($kind), 'alice');
    }

    /** @return array<string, array{string}> */
    public static function others(): array
    {
        return array_diff_key(self::kinds(), ['sliding log' => 1, 'audit log' => 1]);
    }

    public function testACompoundKeepsNoHistoryEvenOfOneLog(): void
    {
        $this->expectException(\RedisRateLimit\InvalidPolicy::class);
        $this->limiter->history(Policy::compound('p', Policy::slidingLog('log', 5, 60)), 'alice');
    }

    public function testAnotherProgramsMemberInAnAuditLogStartsItClean(): void
    {
        $policy = Policy::slidingLog('p', 5, 60, audit: true);
        $this->clockAt(10);
        $this->limiter->consume($policy, 'alice', cost: 2);
        self::$redis->command('ZADD', 'rl:p:alice:global', (string) ((self::T0 + 5) * 1_000_000), 'foreign');

        self::assertAllowed(4, $this->limiter->consume($policy, 'alice'));
        self::assertCount(1, $this->limiter->history($policy, 'alice'));
    }
}
