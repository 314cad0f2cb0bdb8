<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Shared;

use PHPUnit\Framework\AssertionFailedError;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RedisRateLimit\Policy;
use RedisRateLimit\Testing\FakeLimiter;

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
        $this->limiter->consume($this->api, 'a');
        $this->expectException(AssertionFailedError::class);
        $this->expectExceptionMessage($message);
        $assertion($this->limiter);
    }

    /** @return list<array{\Closure, string}> */
    public static function failing(): array
    {
        return [
            [static fn (FakeLimiter $limiter) => $limiter->assertConsumed('export'), 'The policy "export" was not consumed.'],
            [static fn (FakeLimiter $limiter) => $limiter->assertConsumed('api', tenant: 'b'), 'The policy "api" was not consumed for tenant "b".'],
            [static fn (FakeLimiter $limiter) => $limiter->assertConsumed('api', 3), 'consumed 1 times, not 3 times'],
            [static fn (FakeLimiter $limiter) => $limiter->assertNothingConsumed(), 'Nothing was to be consumed, but "api" was.'],
        ];
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
