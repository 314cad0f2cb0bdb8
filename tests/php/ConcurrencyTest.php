<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Policy;
use RedisRateLimit\Tests\Support\Php;

/** However many ask at once, exactly the limit passes. Time stands still, so that no window ends meanwhile. */
final class ConcurrencyTest extends RedisTestCase
{
    private const PROCESSES = 8;
    private const ATTEMPTS = 2000;
    private const LIMIT = 1000;
    private const RUNS = 3;

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testExactlyTheLimitPasses(string $kind): void
    {
        $code = sprintf(<<<'PHP'
            $limiter = new RedisRateLimit\RateLimiter('%s', timeout: 30.0);
            $policy = RedisRateLimit\Policy::fromArray('p', json_decode('%s', true));
            $counts = ['allowed' => 0, 'refused' => 0, 'degraded' => 0];
            for ($i = 0; $i < %d; $i++) {
                $decision = $limiter->consume($policy, 'alice');
                $counts[$decision->degraded ? 'degraded' : ($decision->allowed ? 'allowed' : 'refused')]++;
            }
            echo json_encode($counts);
            PHP, self::$redis->url(), json_encode(self::policy($kind, self::LIMIT, 3600)->toArray()), self::ATTEMPTS);

        for ($run = 0; $run < self::RUNS; $run++) {
            self::$redis->command('FLUSHALL');
            $sum = ['allowed' => 0, 'refused' => 0, 'degraded' => 0];
            foreach (Php::runConcurrently(self::PROCESSES, $code) as $result) {
                self::assertSame('', $result['stderr']);
                foreach (json_decode($result['stdout'], true) as $name => $count) {
                    $sum[$name] += $count;
                }
            }
            $refused = self::PROCESSES * self::ATTEMPTS - self::LIMIT;
            self::assertSame(['allowed' => self::LIMIT, 'refused' => $refused, 'degraded' => 0], $sum, "run $run");
        }
    }
}
