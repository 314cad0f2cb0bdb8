<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Tests\Support\Php;

/** A worker that lives long does not grow. */
final class LongRunTest extends RedisTestCase
{
    public function testAMillionDecisionsTakeNoMemory(): void
    {
        $result = Php::run(sprintf(<<<'PHP'
            use RedisRateLimit\{Policy, RateLimiter};
            function resident(): int {
                preg_match('/^VmRSS:\s+(\d+)/m', file_get_contents('/proc/self/status'), $match);
                return (int) $match[1];
            }
            $limiter = new RateLimiter('%s', timeout: 10.0);
            $policies = [
                Policy::tokenBucket('bucket', 5, 1, 10), Policy::slidingLog('log', 5, 60),
                Policy::compound('both', Policy::fixedWindow('a', 5, 60), Policy::slidingWindow('b', 50, 60)),
            ];
            for ($call = 1; $call <= 1_000_000; $call++) {
                $decision = $limiter->consume($policies[$call %% 3], 'tenant ' . $call %% 100);
                if ($call %% 10 === 0) {
                    $decision->toHeaders();
                    json_encode($decision);
                    $limiter->refund($decision);
                }
                if ($call === 100_000) {
                    $early = resident();
                }
            }
            echo resident() - $early, ' ', $decision->error;
            PHP, self::$redis->url()));

        self::assertSame('', $result['stderr']);
        self::assertLessThan(1024, (int) $result['stdout'], 'KiB: ' . $result['stdout']);
    }
}
