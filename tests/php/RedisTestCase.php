<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\Decision;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\CollectsWarnings;
use RedisRateLimit\Tests\Support\StartsRedis;

/** A real Redis, empty for each test, whose clock shows T0 + what clockAt() says. */
abstract class RedisTestCase extends TestCase
{
    use CollectsWarnings;
    use StartsRedis;

    protected RateLimiter $limiter;

    protected function setUp(): void
    {
        self::emptyRedis();
        $this->limiter = self::limiter();
    }

    /** A generous deadline: a busy machine must not look like an absent Redis. */
    protected static function limiter(): RateLimiter
    {
        return new RateLimiter(self::$redis->url(), timeout: 10.0);
    }

    protected function clockAt(float $seconds): void
    {
        self::$clock->set(self::T0 + $seconds);
    }

    /** Consumes $times and returns how many were allowed. */
    protected function allowed(int $times, Policy $policy, string $tenant = 'alice', int $cost = 1): int
    {
        $allowed = 0;
        for ($i = 0; $i < $times; $i++) {
            $allowed += (int) $this->limiter->consume($policy, $tenant, cost: $cost)->allowed;
        }

        return $allowed;
    }

    protected static function assertAllowed(int $remaining, Decision $decision): void
    {
        self::assertTrue($decision->allowed, "refused: {$decision->reason} {$decision->error}");
        self::assertSame($remaining, $decision->remaining, 'remaining');
        self::assertNull($decision->retryAfter, 'retryAfter');
        self::assertFalse($decision->degraded, 'degraded');
    }

    protected static function assertRefused(?float $retryAfter, Decision $decision): void
    {
        self::assertFalse($decision->allowed, 'allowed');
        self::assertSame($retryAfter, $decision->retryAfter, 'retryAfter');
        self::assertFalse($decision->degraded, 'degraded');
    }

    /** One policy of each kind, all of $limit per $interval seconds. */
    protected static function policy(string $kind, int $limit = 10, int|float $interval = 60): Policy
    {
        return match ($kind) {
            'token bucket' => Policy::tokenBucket('p', $limit, $limit, $interval),
            'leaky bucket' => Policy::leakyBucket('p', $limit, $limit, $interval),
            'sliding log' => Policy::slidingLog('p', $limit, $interval),
            'audit log' => Policy::slidingLog('p', $limit, $interval, audit: true),
            'sliding window' => Policy::slidingWindow('p', $limit, $interval),
            'fixed window' => Policy::fixedWindow('p', $limit, $interval),
            'aligned window' => Policy::fixedWindow('p', $limit, $interval, aligned: true),
            'compound' => Policy::compound(
                'p',
                Policy::slidingLog('log', $limit, $interval),
                Policy::fixedWindow('window', $limit * 2, $interval),
            ),
        };
    }

    /** @return array<string, array{string}> */
    public static function kinds(): array
    {
        $kinds = ['token bucket', 'leaky bucket', 'sliding log', 'audit log', 'sliding window', 'fixed window', 'aligned window', 'compound'];

        return array_combine($kinds, array_map(static fn (string $kind) => [$kind], $kinds));
    }
}
