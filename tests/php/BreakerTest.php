<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Decision;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\RedisServer;

/** After some failures in a row nobody asks Redis for a while. */
final class BreakerTest extends RedisTestCase
{
    public function testAnOpenCircuitAnswersAtOnceAndSaysWhenTheNextProbeIsDue(): void
    {
        ini_set('ratelimit.breaker_failures', '3');
        ini_set('ratelimit.breaker_cooldown_ms', '60000');
        $policy = Policy::fixedWindow('p', 2, 60)->failClosed();
        $url = 'redis://user:hidden@127.0.0.1:1/5';
        $limiter = new RateLimiter($url);
        ini_restore('ratelimit.breaker_failures');
        ini_restore('ratelimit.breaker_cooldown_ms');
        $errors = RateLimiter::stats()['errors'];

        $decisions = [];
        self::warningsOf(static function () use ($limiter, $policy, &$decisions): void {
            for ($i = 0; $i < 5; $i++) {
                $decisions[] = $limiter->consume($policy, 'alice');
            }
        });

        self::assertSame($errors + 3, RateLimiter::stats()['errors'], 'the last two asked nobody');
        self::assertNull($decisions[2]->retryAfter);
        self::assertSame([], $decisions[2]->toHeaders());
        foreach (array_slice($decisions, 3) as $decision) {
            self::assertFalse($decision->allowed);
            self::assertTrue($decision->degraded);
            self::assertSame('store_unavailable', $decision->reason);
            self::assertMatchesRegularExpression('#^redis://user:\*{3}@127\.0\.0\.1:1/5: not asked for another (5\d|60)\.\d{3} s after 3 failures in a row$#', (string) $decision->error);
            self::assertStringNotContainsString('hidden', (string) $decision->error);
            self::assertGreaterThan(50.0, $decision->retryAfter);
            self::assertSame(['Retry-After'], array_keys($decision->toHeaders()));
        }
        $circuits = RateLimiter::stats()['circuits'];
        self::assertSame('open', $circuits['redis://user:***@127.0.0.1:1/5']['state']);
        self::assertSame(3, $circuits['redis://user:***@127.0.0.1:1/5']['failures']);
    }

    public function testLoginsOfOneUrlHaveCircuitsOfTheirOwnAndBothAreShown(): void
    {
        self::warningsOf(static function (): void {
            foreach (['one', 'two'] as $password) {
                (new RateLimiter("redis://user:$password@127.0.0.1:1/9"))->consume(Policy::fixedWindow('p', 2, 60), 'alice');
            }
        });

        $circuits = RateLimiter::stats()['circuits'];
        foreach (['', ' (login 2)'] as $number) {
            self::assertSame(1, $circuits["redis://user:***@127.0.0.1:1/9$number"]['failures']);
        }
    }

    public function testAServerThatTakesNoMoreClientsIsLeftAlone(): void
    {
        $redis = new RedisServer(['maxclients' => '1']);
        $redis->command('PING'); // the one client that it takes, which stays
        $limiter = new RateLimiter($redis->url(), timeout: 5.0);

        $decisions = [];
        self::warningsOf(static function () use ($limiter, &$decisions): void {
            for ($i = 0; $i < 6; $i++) {
                $decisions[] = $limiter->consume(Policy::fixedWindow('p', 2, 60), 'alice');
            }
        });

        self::assertNotContains(false, array_map(static fn (Decision $decision) => $decision->degraded, $decisions));
        self::assertStringContainsString('after 5 failures in a row', (string) $decisions[5]->error);
    }

    public function testWithoutABreakerEveryCallAsks(): void
    {
        ini_set('ratelimit.breaker_failures', '0');
        $limiter = new RateLimiter('redis://127.0.0.1:1/6');
        ini_restore('ratelimit.breaker_failures');
        $errors = RateLimiter::stats()['errors'];

        self::warningsOf(static function () use ($limiter): void {
            for ($i = 0; $i < 10; $i++) {
                $limiter->consume(Policy::fixedWindow('p', 2, 60), 'alice');
            }
        });

        self::assertSame($errors + 10, RateLimiter::stats()['errors']);
    }

    public function testOneLoginsFailuresLeaveAnothersCircuitClosed(): void
    {
        self::$redis->command('ACL', 'SETUSER', 'limiter', 'on', '>right', '~*', '+@all');
        $policy = Policy::fixedWindow('p', 9, 60);
        $address = substr(self::$redis->tcpUrl(), strlen('redis://'));
        $wrong = new RateLimiter("redis://limiter:wrong@$address", timeout: 10.0);
        self::warningsOf(static function () use ($wrong, $policy): void {
            for ($i = 0; $i < 6; $i++) {
                self::assertTrue($wrong->consume($policy, 'alice')->degraded);
            }
        });

        self::assertFalse((new RateLimiter("redis://limiter:right@$address", timeout: 10.0))->consume($policy, 'alice')->degraded);
    }

    public function testAKeyThatMayNotBeTouchedOpensNoCircuitForOthers(): void
    {
        self::$redis->command('ACL', 'SETUSER', 'narrow', 'on', '>secret', '~rl:*', '+@all');
        $url = str_replace('redis://', 'redis://narrow:secret@', self::$redis->tcpUrl());
        $policy = Policy::fixedWindow('p', 9, 60);
        $forbidden = new RateLimiter($url, timeout: 10.0, prefix: 'other');
        $errors = RateLimiter::stats()['errors'];
        $warnings = self::warningsOf(static function () use ($forbidden, $policy): void {
            for ($i = 0; $i < 7; $i++) {
                self::assertTrue($forbidden->consume($policy, 'alice')->degraded);
            }
        });

        self::assertSame($errors + 7, RateLimiter::stats()['errors'], 'each call asked');
        self::assertCount(1, $warnings);
        self::assertFalse((new RateLimiter($url, timeout: 10.0))->consume($policy, 'alice')->degraded);
    }

    public function testAKeyThatMayNotBeTouchedHoldsNoCircuitOpenForOthers(): void
    {
        $redis = new RedisServer();
        $url = str_replace('redis://', 'redis://narrow:secret@', $redis->tcpUrl());
        $policy = Policy::fixedWindow('p', 9, 60);
        $allowed = self::breaking($url, 'rl', cooldown: '1');
        $forbidden = self::breaking($url, 'other', cooldown: '600000');
        $redis->stop();
        self::warningsOf(static fn () => $allowed->consume($policy, 'alice'));
        $redis->start();
        $redis->command('ACL', 'SETUSER', 'narrow', 'on', '>secret', '~rl:*', '+@all');

        self::warningsOf(static fn () => self::assertStringContainsString('NOPERM', $forbidden->consume($policy, 'alice')->error));
        self::assertFalse($allowed->consume($policy, 'alice')->degraded, 'though the probe was refused');
    }

    /** With a circuit that opens at the first failure. */
    private static function breaking(string $url, string $prefix, string $cooldown): RateLimiter
    {
        ini_set('ratelimit.breaker_failures', '1');
        ini_set('ratelimit.breaker_cooldown_ms', $cooldown);
        try {
            return new RateLimiter($url, timeout: 10.0, prefix: $prefix);
        } finally {
            ini_restore('ratelimit.breaker_failures');
            ini_restore('ratelimit.breaker_cooldown_ms');
        }
    }
}
