<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Policy;
use RedisRateLimit\Tests\Support\Php;

/** The server may forget scripts at any time; nobody notices. */
final class ScriptCacheTest extends RedisTestCase
{
    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testAfterAFlushTheNextCallIsChargedOnce(string $kind): void
    {
        $policy = self::policy($kind);
        self::assertAllowed(9, $this->limiter->consume($policy, 'alice'));
        self::$redis->command('SCRIPT', 'FLUSH');

        self::assertAllowed(8, $this->limiter->consume($policy, 'alice'));
        self::assertAllowed(8, $this->limiter->peek($policy, 'alice'));
    }

    public function testEveryOtherCallSurvivesAFlushToo(): void
    {
        $policy = Policy::slidingLog('p', 10, 60, audit: true);
        $decision = $this->limiter->consume($policy, 'alice', requestId: 'first');
        self::$redis->command('SCRIPT', 'FLUSH');
        self::assertCount(1, $this->limiter->history($policy, 'alice'));
        self::$redis->command('SCRIPT', 'FLUSH');
        self::assertTrue($this->limiter->refund($decision));
        $this->limiter->consume($policy, 'alice');
        self::$redis->command('SCRIPT', 'FLUSH');
        self::assertTrue($this->limiter->reset($policy, 'alice'));
    }

    public function testAfterARestartTheNextCallIsANormalDecision(): void
    {
        $policy = self::policy('token bucket');
        $this->limiter->consume($policy, 'alice');
        self::$redis->restart();

        self::assertAllowed(9, $this->limiter->consume($policy, 'alice'));
        self::assertAllowed(8, $this->limiter->consume($policy, 'alice'));
    }

    public function testFiftyProcessesAtOnceAfterAFlushAllDecide(): void
    {
        $policy = Policy::fixedWindow('p', 1000, 3600);
        $this->limiter->consume($policy, 'alice');
        self::$redis->command('SCRIPT', 'FLUSH');

        $results = Php::runConcurrently(50, sprintf(<<<'PHP'
            $limiter = new RedisRateLimit\RateLimiter('%s', timeout: 10.0);
            $decision = $limiter->consume(RedisRateLimit\Policy::fixedWindow('p', 1000, 3600), 'alice');
            echo json_encode([$decision->allowed, $decision->degraded, $decision->remaining]);
            PHP, self::$redis->url()));

        $remaining = [];
        foreach ($results as $result) {
            self::assertSame('', $result['stderr']);
            [$allowed, $degraded, $remaining[]] = json_decode($result['stdout']);
            self::assertSame([true, false], [$allowed, $degraded]);
        }
        sort($remaining);
        self::assertSame(range(949, 998), $remaining);
    }
}
