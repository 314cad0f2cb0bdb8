<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\Decision;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\CollectsWarnings;

/** What the tests of faults share: limiters that wait or do not, and what a degraded decision looks like. */
abstract class FaultTestCase extends TestCase
{
    use CollectsWarnings;

    /** Stands in every URL that logs in, and may be seen nowhere. */
    protected const SECRET = 's3cret-Passw0rd';

    /** With a deadline that a busy machine keeps, and no breaker: every call asks. */
    protected static function patient(string $url): RateLimiter
    {
        ini_set('ratelimit.breaker_failures', '0');
        try {
            return new RateLimiter($url, timeout: 10.0);
        } finally {
            ini_restore('ratelimit.breaker_failures');
        }
    }

    /** A member of each state's kind. */
    protected static function compound(): Policy
    {
        return Policy::compound(
            'all',
            Policy::tokenBucket('bucket', 100, 1, '1 day'),
            Policy::slidingLog('log', 200, '1 day'),
            Policy::slidingLog('audit', 300, '1 day', audit: true),
            Policy::slidingWindow('sliding', 400, '1 day'),
            Policy::fixedWindow('fixed', 500, '1 day'),
        );
    }

    /** @return array<string, int> how often each member was charged, as the next decision saw it */
    protected static function charged(Decision $decision): array
    {
        $charged = array_map(static fn (array $window): int => $window['limit'] - $window['remaining'], $decision->windows);

        return array_combine(array_column($decision->windows, 'window'), $charged);
    }

    protected static function assertDegraded(bool $allowed, string $says, Decision $decision): void
    {
        self::assertTrue($decision->degraded, 'degraded');
        self::assertSame($allowed, $decision->allowed, 'allowed');
        self::assertSame('store_unavailable', $decision->reason);
        self::assertStringContainsString($says, (string) $decision->error);
        self::assertStringNotContainsString(self::SECRET, json_encode($decision) . print_r($decision, true) . var_export($decision, true));
        self::assertSame([null, []], [$decision->resetAt, $decision->windows], 'nothing is invented');
    }

    /** What another process is still about to do has a bound too: a test that waits must end. */
    protected static function waitUntil(callable $ready): void
    {
        for ($deadline = microtime(true) + 30; !$ready(); usleep(5000)) {
            self::assertLessThan($deadline, microtime(true), 'waited for 30 s');
        }
    }
}
