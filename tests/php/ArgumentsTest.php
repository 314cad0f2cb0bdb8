<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\Php;

/** Arguments are read as every internal PHP function reads them; bad ones throw, and nothing is sent to Redis. */
final class ArgumentsTest extends RedisTestCase
{
    /** @dataProvider refused */
    #[DataProvider('refused')]
    public function testAnUnusableValueIsNamedAndNothingIsSent(callable $call, string $named): void
    {
        $before = self::$redis->info('total_commands_processed');
        try {
            $call($this->limiter, Policy::fixedWindow('p', 5, 60));
            self::fail('nothing was thrown');
        } catch (\InvalidArgumentException $exception) {
            self::assertStringContainsString($named, $exception->getMessage());
        }
        self::assertSame((int) $before + 1, (int) self::$redis->info('total_commands_processed'), 'INFO itself, and nothing else');
    }

    /** @return array<string, array{callable, string}> */
    public static function refused(): array
    {
        $calls = [
            'consume: cost 0' => [static fn ($limiter, $policy) => $limiter->consume($policy, 'alice', cost: 0), '0'],
            'consume: cost -1' => [static fn ($limiter, $policy) => $limiter->consume($policy, 'alice', cost: -1), '-1'],
            'peek: cost -1' => [static fn ($limiter, $policy) => $limiter->peek($policy, 'alice', cost: -1), '-1'],
            'long request id' => [static fn ($limiter, $policy) => $limiter->consume($policy, 'alice', requestId: str_repeat('x', 129)), '129'],
        ];
        foreach (['consume', 'peek', 'reset', 'history'] as $method) {
            $calls["$method: no tenant"] = [static fn ($limiter, $policy) => $limiter->$method(Policy::slidingLog('p', 5, 60), ''), 'tenant'];
            $calls["$method: no scope"] = [static fn ($limiter, $policy) => $limiter->$method(Policy::slidingLog('p', 5, 60), 'alice', ''), 'scope'];
        }

        return $calls;
    }

    /** @dataProvider typeErrors */
    #[DataProvider('typeErrors')]
    public function testAWrongTypeIsThatOfEveryInternalFunction(callable $call, string $message): void
    {
        $this->expectException(\TypeError::class);
        $this->expectExceptionMessage($message);
        $call($this->limiter, Policy::fixedWindow('p', 5, 60));
    }

    /** @return array<string, array{callable, string}> */
    public static function typeErrors(): array
    {
        return [
            'policy' => [static fn ($limiter) => $limiter->consume('p', 'alice'), 'RedisRateLimit\RateLimiter::consume(): Argument #1 ($policy) must be of type RedisRateLimit\Policy, string given'],
            'tenant' => [static fn ($limiter, $policy) => $limiter->consume($policy, 42), 'consume(): Argument #2 ($tenant) must be of type string, int given'],
            'scope' => [static fn ($limiter, $policy) => $limiter->peek($policy, 'a', []), 'peek(): Argument #3 ($scope) must be of type string, array given'],
            'cost' => [static fn ($limiter, $policy) => $limiter->consume($policy, 'a', cost: '1'), 'consume(): Argument #4 ($cost) must be of type int, string given'],
            'request id' => [static fn ($limiter, $policy) => $limiter->consume($policy, 'a', requestId: 1), 'consume(): Argument #5 ($requestId) must be of type ?string, int given'],
            'decision' => [static fn ($limiter, $policy) => $limiter->refund($policy), 'refund(): Argument #1 ($decision) must be of type RedisRateLimit\Decision, RedisRateLimit\Policy given'],
            'limit' => [static fn () => Policy::fixedWindow('p', 1.5, 60), 'fixedWindow(): Argument #2 ($limit) must be of type int, float given'],
            'interval' => [static fn () => Policy::fixedWindow('p', 1, []), 'fixedWindow(): Argument #3 ($interval) must be of type int|float|string, array given'],
            'member' => [static fn () => Policy::compound('p', Policy::unlimited('u'), 5), 'compound(): Argument #3 must be of type RedisRateLimit\Policy, int given'],
            'url' => [static fn () => new RateLimiter(5), '__construct(): Argument #1 ($url) must be of type ?string, int given'],
            'timeout' => [static fn () => new RateLimiter(null, '1'), '__construct(): Argument #2 ($timeout) must be of type ?float, string given'],
        ];
    }

    public function testTooFewAndTooManyArguments(): void
    {
        foreach ([
            static fn (RateLimiter $limiter) => $limiter->consume(),
            static fn (RateLimiter $limiter) => $limiter->ping(1),
            static fn (RateLimiter $limiter) => $limiter->peek(Policy::unlimited('u')),
            static fn () => Policy::fixedWindow('p'),
        ] as $call) {
            try {
                $call($this->limiter);
                self::fail('nothing was thrown');
            } catch (\ArgumentCountError $error) {
                self::assertStringContainsString('argument', $error->getMessage());
            }
        }
    }

    public function testAnIntIsAFloatEvenInStrictMode(): void
    {
        self::assertAllowed(4, (new RateLimiter(self::$redis->url(), 10))->consume(Policy::fixedWindow('p', 5, 60), 'alice'));
    }

    /** php -r has no declare(strict_types=1). */
    public function testInWeakModeValuesAreCoerced(): void
    {
        $result = Php::run(sprintf(<<<'PHP'
            use RedisRateLimit\{Policy, RateLimiter};
            $tenant = new class { public function __toString(): string { return 'alice'; } };
            $limiter = new RateLimiter('%s', '10');
            $policy = Policy::fixedWindow('p', '9', '60');
            echo json_encode([
                $limiter->consume($policy, $tenant, cost: '2')->remaining,
                $limiter->consume($policy, 42, cost: true)->remaining,
                $limiter->peek($policy, '42')->remaining,
                $limiter->peek($policy, 'alice', cost: 2.0)->cost,
            ]);
            foreach (['2 apples', [], null, 1e30] as $cost) {
                try { $limiter->consume($policy, 'bob', cost: $cost); echo '!'; } catch (TypeError $e) { echo '.'; } catch (InvalidArgumentException $e) { echo 'i'; }
            }
            PHP, self::$redis->url()), ['error_reporting' => '8191']);

        self::assertSame('', $result['stderr']);
        self::assertSame('[7,8,8,2]..i.', $result['stdout']);
    }

    public function testMembersOfACompoundHaveNoParameterNames(): void
    {
        $this->expectException(\ArgumentCountError::class);
        $this->expectExceptionMessage('does not accept unknown named parameters');
        Policy::compound('p', Policy::fixedWindow('a', 1, 60), daily: Policy::fixedWindow('b', 1, 60));
    }
}
