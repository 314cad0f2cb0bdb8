<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Policy;

/** Several limits settle in one step: one refusal, and none is charged. */
final class CompoundTest extends RedisTestCase
{
    /** @return array<string, array{bool}> */
    public static function orders(): array
    {
        return ['own limit first' => [false], 'shared limit first' => [true]];
    }

    /** @dataProvider orders */
    #[DataProvider('orders')]
    public function testARefusalByOneMemberChargesNone(bool $swapped): void
    {
        $members = [Policy::fixedWindow('own', 1, 60), Policy::fixedWindow('all', 10, 60)->shared()];
        $policy = Policy::compound('api', ...($swapped ? array_reverse($members) : $members));

        self::assertTrue($this->limiter->consume($policy, 'alice')->allowed);
        for ($i = 0; $i < 19; $i++) {
            $refusal = $this->limiter->consume($policy, 'alice');
            self::assertRefused(60.0, $refusal);
            self::assertSame('own', $refusal->window);
        }
        self::assertSame(9, $this->remainingOf('all', $this->limiter->peek($policy, 'alice')));

        $this->clockAt(1);
        $bob = $this->limiter->consume($policy, 'bob');
        self::assertTrue($bob->allowed);
        self::assertSame(8, $this->remainingOf('all', $bob));
    }

    public function testTheMemberThatRefusesIsReportedAndTheOtherKeepsWhatItHas(): void
    {
        $a = Policy::fixedWindow('a', 10, 60);
        $b = Policy::fixedWindow('b', 8, 60);
        $this->limiter->consume(Policy::compound('p', $a, $b), 'alice', cost: 8);

        $refusal = $this->limiter->consume(Policy::compound('p', $a, $b), 'alice', cost: 2);

        self::assertRefused(60.0, $refusal);
        self::assertSame('b', $refusal->window);
        self::assertSame(0, $refusal->remaining);
        self::assertSame(2, $this->remainingOf('a', $this->limiter->peek(Policy::compound('p', $a, $b), 'alice')));
    }

    public function testOfTwoThatRefuseTheLongerWaitIsReported(): void
    {
        foreach ([[12, 40], [40, 12]] as $number => [$first, $second]) {
            $policy = Policy::compound('p', Policy::fixedWindow('a', 1, $first), Policy::fixedWindow('b', 1, $second));
            $this->limiter->consume($policy, "tenant $number");

            $refusal = $this->limiter->consume($policy, "tenant $number");

            self::assertRefused(40.0, $refusal);
            self::assertSame($first === 40 ? 'a' : 'b', $refusal->window);
        }
    }

    public function testAMemberThatCanNeverPassIsReportedBeforeTheLongestWait(): void
    {
        $policy = Policy::compound('p', Policy::fixedWindow('slow', 5, 3600), Policy::fixedWindow('small', 3, 1));
        $this->limiter->consume($policy, 'alice', cost: 3);

        $refusal = $this->limiter->consume($policy, 'alice', cost: 4);

        self::assertRefused(null, $refusal);
        self::assertSame('cost_exceeds_limit', $refusal->reason);
        self::assertSame('small', $refusal->window);
    }

    public function testAnAllowedDecisionReportsTheMemberWithLeastLeft(): void
    {
        $policy = Policy::compound('p', Policy::fixedWindow('hour', 100, 3600), Policy::fixedWindow('second', 3, 1));

        $decision = $this->limiter->consume($policy, 'alice');

        self::assertAllowed(2, $decision);
        self::assertSame(['second', 3], [$decision->window, $decision->limit]);
        self::assertSame('p', $decision->policy);
    }

    public function testEveryMemberIsListedInItsOrder(): void
    {
        $policy = Policy::compound('p', Policy::fixedWindow('hour', 5, 3600), Policy::fixedWindow('minute', 1, 60));
        $this->limiter->consume($policy, 'alice');

        self::assertSame([
            ['window' => 'hour', 'allowed' => true, 'limit' => 5, 'remaining' => 4, 'retryAfter' => null, 'resetAt' => self::T0 + 3600.0],
            ['window' => 'minute', 'allowed' => false, 'limit' => 1, 'remaining' => 0, 'retryAfter' => 60.0, 'resetAt' => self::T0 + 60.0],
        ], $this->limiter->consume($policy, 'alice')->windows);
    }

    public function testMembersOfEveryKindSettleTogether(): void
    {
        $policy = Policy::compound(
            'p',
            Policy::tokenBucket('bucket', 5, 1, 10),
            Policy::leakyBucket('queue', 6, 1, 10),
            Policy::slidingLog('log', 7, 60),
            Policy::slidingLog('audit', 8, 60, audit: true),
            Policy::slidingWindow('sliding', 9, 60),
            Policy::fixedWindow('fixed', 10, 60),
        );

        self::assertSame(5, $this->allowed(20, $policy));
        $left = array_column($this->limiter->peek($policy, 'alice')->windows, 'remaining', 'window');
        self::assertSame(['bucket' => 0, 'queue' => 1, 'log' => 2, 'audit' => 3, 'sliding' => 4, 'fixed' => 5], $left);
    }

    private function remainingOf(string $window, \RedisRateLimit\Decision $decision): int
    {
        return array_column($decision->windows, 'remaining', 'window')[$window];
    }
}
