<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Shared;

use PHPUnit\Framework\AssertionFailedError;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RedisRateLimit\Policies;
use RedisRateLimit\Policy;
use RedisRateLimit\Testing\FakeLimiter;
use RedisRateLimit\UnknownPolicy;

final class FakeLimiterTest extends TestCase
{
    private FakeLimiter $limiter;
    private Policy $api;
    private Policy $export;

    protected function setUp(): void
    {
        $this->limiter = new FakeLimiter();
        $this->api = Policy::fixedWindow('api', 5, 60);
        $this->export = Policy::compound('export', Policy::tokenBucket('burst', 2, 1), Policy::slidingLog('day', 9, '1 day'));
    }

    public function testItAllowsUntilToldOtherwise(): void
    {
        $pass = $this->limiter->consume($this->api, 'a', cost: 2);
        $this->assertSame([true, 'api', 5, 2, null], [$pass->allowed, $pass->policy, $pass->limit, $pass->cost, $pass->retryAfter]);
        $this->assertTrue($this->limiter->refund($pass));
        $refusal = $this->limiter->deny()->consume($this->api, 'a');
        $this->assertSame([false, 'limited', 0, 60.0], [$refusal->allowed, $refusal->reason, $refusal->remaining, $refusal->retryAfter]);
        $this->assertSame('60', $refusal->toHeaders()['Retry-After']);
        $this->assertFalse($this->limiter->refund($refusal));
        $this->assertTrue($this->limiter->allow()->consume($this->api, 'a')->allowed);
    }

    public function testDenyAfterCountsDown(): void
    {
        $this->limiter->denyAfter(2, 'api');
        $this->assertSame(2, $this->limiter->peek($this->api, 'a')->remaining);
        $this->assertSame([1, 0], [$this->limiter->consume($this->api, 'a')->remaining, $this->limiter->consume($this->api, 'a')->remaining]);
        $this->assertFalse($this->limiter->peek($this->api, 'a')->allowed);
        $this->assertTrue($this->limiter->peek($this->api, 'a', cost: 0)->allowed);
        $this->assertFalse($this->limiter->consume($this->api, 'a')->allowed);
        $this->assertTrue($this->limiter->consume($this->export, 'a')->allowed, 'another policy');
    }

    public function testACompoundHasItsMembersWindows(): void
    {
        $decision = $this->limiter->consume($this->export, 'a');
        $this->assertSame(['burst', 'day'], array_column($decision->windows, 'window'));
        $this->assertSame([2, 9], array_column($decision->windows, 'limit'));
    }

    public function testWhatNeverRefusesIsNotRefusedHereEither(): void
    {
        $this->limiter->deny();
        $free = $this->limiter->consume(Policy::unlimited('free'), 'a', cost: 3);
        $this->assertSame([true, PHP_INT_MAX, PHP_INT_MAX, 3], [$free->allowed, $free->limit, $free->remaining, $free->cost]);
        $this->assertSame([], $free->toHeaders() + $free->toStandardHeaders());
        $shadowed = $this->limiter->consume($this->api->shadow(), 'a');
        $this->assertSame([true, true, 'limited', 0, null], [$shadowed->allowed, $shadowed->shadow, $shadowed->reason, $shadowed->remaining, $shadowed->retryAfter]);
        $this->assertSame([false], array_column($shadowed->windows, 'allowed'));
        $this->assertSame([true, true], array_column($this->limiter->consumed(), 'allowed'));
    }

    public function testWhatWasConsumed(): void
    {
        $this->limiter->assertNothingConsumed();
        $this->limiter->consume($this->api, 'a');
        $this->limiter->peek($this->export, 'a');
        $this->limiter->deny()->consume($this->api, 'b', 'exports', 2);
        $this->limiter->assertConsumed('api');
        $this->limiter->assertConsumed('api', 2);
        $this->limiter->assertConsumed('api', 1, 'b');
        $this->limiter->assertConsumed('export', 0);
        $this->assertSame(['policy' => 'api', 'tenant' => 'b', 'scope' => 'exports', 'cost' => 2, 'allowed' => false], $this->limiter->consumed()[1]);
    }

    /** @dataProvider failing */
    #[DataProvider('failing')]
    public function testAnAssertionThatDoesNotHoldSaysWhatHappened(\Closure $assertion, string $message): void
    {
        foreach (['a', 'a', 'b'] as $tenant) {
            $this->limiter->consume($this->api, $tenant);
        }
        $this->expectException(AssertionFailedError::class);
        $this->expectExceptionMessage($message);
        $assertion($this->limiter);
    }

    /** @return list<array{\Closure, string}> */
    public static function failing(): array
    {
        $consumed = 'Consumed were: api by a (2 times), api by b (1 time).';

        return [
            [static fn (FakeLimiter $limiter) => $limiter->assertConsumed('export'), "The policy \"export\" was not consumed. $consumed"],
            [static fn (FakeLimiter $limiter) => $limiter->assertConsumed('api', tenant: 'c'), "The policy \"api\" was not consumed for tenant \"c\". $consumed"],
            [static fn (FakeLimiter $limiter) => $limiter->assertConsumed('api', 2), "The policy \"api\" was consumed 3 times, not 2 times. $consumed"],
            [static fn (FakeLimiter $limiter) => $limiter->assertNothingConsumed(), "Nothing was to be consumed. $consumed"],
        ];
    }

    public function testNothingWasConsumed(): void
    {
        $this->expectException(AssertionFailedError::class);
        $this->expectExceptionMessage('The policy "api" was not consumed. Nothing was consumed.');
        $this->limiter->assertConsumed('api');
    }

    /** @dataProvider sayings */
    #[DataProvider('sayings')]
    public function testAMisspeltNameIsFoundWhereThePoliciesAreKnown(\Closure $saying): void
    {
        $policies = new Policies(['api' => $this->api, '7' => $this->export]);
        $saying($this->limiter->knowing($policies->names(...)), 'api', 0);
        $saying($this->limiter, '7', 0);
        $saying($this->limiter, Policy::unlimited('made-elsewhere'), 0);
        $this->expectException(UnknownPolicy::class);
        $this->expectExceptionMessage('There is no rate limit policy "apy": known are "api", "7".');
        $saying($this->limiter, 'apy', 0);
    }

    /** @return array<string, array{\Closure(FakeLimiter, Policy|string, int): mixed}> */
    public static function sayings(): array
    {
        return [
            'allow' => [static fn (FakeLimiter $limiter, Policy|string $policy) => $limiter->allow($policy)],
            'deny' => [static fn (FakeLimiter $limiter, Policy|string $policy) => $limiter->deny($policy)],
            'denyAfter' => [static fn (FakeLimiter $limiter, Policy|string $policy) => $limiter->denyAfter(2, $policy)],
            'assertConsumed' => [static fn (FakeLimiter $limiter, Policy|string $policy, int $times) => $limiter->assertConsumed($policy, $times)],
        ];
    }

    public function testANameThatWasSaidBeforeAnyWasKnownIsFoundThen(): void
    {
        $this->limiter->deny('apy')->deny(Policy::unlimited('made-elsewhere'));
        $this->expectException(UnknownPolicy::class);
        $this->expectExceptionMessage('"apy"');
        $this->limiter->knowing((new Policies(['api' => $this->api]))->names(...));
    }

    /** So that a forgotten user id is found by a test, not in production. */
    public function testWhatTheExtensionRefusesToDoIsRefusedHereToo(): void
    {
        foreach ([['', 'global', 1, 'tenant'], ['a', '', 1, 'scope'], ['a', 'global', 0, 'cost']] as [$tenant, $scope, $cost, $word]) {
            try {
                (new FakeLimiter())->consume(Policy::fixedWindow('api', 5, 60), $tenant, $scope, $cost);
                $this->fail("$word was accepted");
            } catch (\InvalidArgumentException $exception) {
                $this->assertStringContainsString($word, $exception->getMessage());
            }
        }
    }
}
