<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Tests\Support\Php;

/** A forked child has a connection of its own, so that no answer reaches the wrong process. */
final class ForkTest extends RedisTestCase
{
    public function testEveryProcessGetsItsOwnAnswers(): void
    {
        self::$redis->restart();
        $result = Php::run(sprintf(<<<'PHP'
            use RedisRateLimit\{Policy, RateLimiter};
            $limiter = new RateLimiter('%s', timeout: 10.0);
            $parent = Policy::fixedWindow('p', 1000, 3600);
            $limiter->consume($parent, 'parent');
            for ($child = 0; $child < 4; $child++) {
                if (pcntl_fork() > 0) {
                    continue;
                }
                $limit = 100 + $child;
                $policy = Policy::fixedWindow("child$child", $limit, 3600);
                $wrong = 0;
                for ($call = 1; $call <= 200; $call++) {
                    $decision = $limiter->consume($policy, "tenant $child");
                    $expected = [$call <= $limit, $limit, max($limit - $call, 0)];
                    $wrong += (int) ([$decision->allowed, $decision->limit, $decision->remaining] !== $expected);
                }
                echo "child wrong: $wrong\n";
                exit;
            }
            for ($call = 2; $call <= 200; $call++) {
                if ($limiter->consume($parent, 'parent')->remaining !== 1000 - $call) {
                    echo "parent wrong at $call\n";
                }
            }
            while (pcntl_wait($status) > 0);
            echo $limiter->consume($parent, 'parent')->remaining;
            PHP, self::$redis->url()));

        self::assertSame('', $result['stderr']);
        self::assertSame(str_repeat("child wrong: 0\n", 4) . '799', $result['stdout']);
        self::assertSame(5, self::$redis->connectionsSeen());
    }

    public function testOfADecisionAndItsForkedCopyOneIsRefunded(): void
    {
        $result = Php::run(sprintf(<<<'PHP'
            $limiter = new RedisRateLimit\RateLimiter('%s', timeout: 10.0);
            $policy = RedisRateLimit\Policy::fixedWindow('once', 100, 3600);
            $limiter->consume($policy, 'alice', cost: 50);
            $decision = $limiter->consume($policy, 'alice', cost: 5);
            if (pcntl_fork() === 0) {
                echo json_encode($limiter->refund($decision));
                echo json_encode($limiter->refund($limiter->consume($policy, 'alice')));
                exit;
            }
            pcntl_wait($status);
            echo json_encode($limiter->refund($decision)), $limiter->peek($policy, 'alice')->remaining;
            PHP, self::$redis->url()));

        self::assertSame('falsetruetrue50', $result['stdout'] . $result['stderr']);
    }

    public function testAChildOfAChildHasItsOwnToo(): void
    {
        self::$redis->restart();
        $result = Php::run(sprintf(<<<'PHP'
            $limiter = new RedisRateLimit\RateLimiter('%s', timeout: 10.0);
            $policy = RedisRateLimit\Policy::fixedWindow('p', 100, 3600);
            $limiter->consume($policy, 'alice');
            if (pcntl_fork() === 0) {
                $limiter->consume($policy, 'alice');
                if (pcntl_fork() === 0) {
                    $limiter->consume($policy, 'alice');
                    exit;
                }
                pcntl_wait($status);
                $limiter->consume($policy, 'alice');
                exit;
            }
            pcntl_wait($status);
            echo $limiter->consume($policy, 'alice')->remaining;
            PHP, self::$redis->url()));

        self::assertSame('95', $result['stdout'] . $result['stderr']);
        self::assertSame(3, self::$redis->connectionsSeen());
    }
}
