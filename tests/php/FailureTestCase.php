<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\Decision;
use RedisRateLimit\RateLimiter;

/** What tests of an absent Redis share. */
abstract class FailureTestCase extends TestCase
{
    /** With a deadline that a busy machine keeps. */
    protected static function patient(string $url): RateLimiter
    {
        return new RateLimiter($url, timeout: 10.0);
    }

    /** With a deadline that is meant to pass. */
    protected static function hasty(string $url): RateLimiter
    {
        return new RateLimiter($url, timeout: 0.1);
    }

    protected static function quietly(callable $call): mixed
    {
        set_error_handler(static fn () => true);
        try {
            return $call();
        } finally {
            restore_error_handler();
        }
    }

    protected static function assertDegraded(Decision $decision): void
    {
        self::assertTrue($decision->degraded);
        self::assertSame('store_unavailable', $decision->reason);
        self::assertNotSame('', (string) $decision->error);
        self::assertNull($decision->resetAt);
        self::assertSame([], $decision->windows);
        self::assertSame([], array_diff(array_keys($decision->toHeaders() + $decision->toStandardHeaders()), ['Retry-After']));
    }
}
