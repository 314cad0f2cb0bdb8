<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\RedisServer;

/** The worker's connection when the server closes it, falls silent or answers with an error. */
final class ConnectionTest extends FailureTestCase
{
    public function testAConnectionClosedWhileIdleIsOpenedAgain(): void
    {
        $redis = new RedisServer();
        $limiter = self::patient($redis->tcpUrl());
        $policy = Policy::fixedWindow('p', 10, 3600);
        for ($left = 9; $left >= 5; $left--) {
            $decision = $limiter->consume($policy, 'alice');
            self::assertSame([true, $left, false], [$decision->allowed, $decision->remaining, $decision->degraded], (string) $decision->error);
            $redis->command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        }
    }

    public function testAfterATimeoutNoAnswerReachesTheWrongCall(): void
    {
        $redis = new RedisServer();
        $a = Policy::fixedWindow('a', 100, 3600);
        self::assertSame(50, self::patient($redis->tcpUrl())->consume($a, 'alice', cost: 50)->remaining);
        $redis->freeze();
        self::assertDegraded(self::quietly(static fn () => self::hasty($redis->tcpUrl())->consume($a, 'alice')));
        $redis->thaw();

        for ($left = 9; $left >= 0; $left--) {
            $decision = self::patient($redis->tcpUrl())->consume(Policy::fixedWindow('b', 10, 3600), 'alice');
            self::assertSame([10, $left], [$decision->limit, $decision->remaining], (string) $decision->error);
        }
    }

    public function testAnErrorOfTheServerIsReportedInItsWords(): void
    {
        $redis = new RedisServer(['requirepass' => 'right']);
        $decision = self::quietly(static fn () => (new RateLimiter("redis://:wrong-secret@127.0.0.1:{$redis->port}", 5.0))
            ->consume(Policy::fixedWindow('p', 10, 60), 'alice'));

        self::assertDegraded($decision);
        self::assertStringContainsString('WRONGPASS', $decision->error);
        self::assertStringNotContainsString('secret', $decision->error);
        self::assertTrue((new RateLimiter("redis://:right@127.0.0.1:{$redis->port}", 5.0))->consume(Policy::fixedWindow('p', 10, 60), 'alice')->allowed);
    }

    public function testAServerOutOfMemoryIsNoLimit(): void
    {
        $redis = new RedisServer(['maxmemory' => '1', 'maxmemory-policy' => 'noeviction']);
        $decision = self::quietly(static fn () => (new RateLimiter($redis->url(), 5.0))->consume(Policy::fixedWindow('p', 10, 60), 'alice'));

        self::assertDegraded($decision);
        self::assertStringContainsString('OOM', $decision->error);
    }
}
