<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use RedisRateLimit\Tests\Support\FpmPool;
use RedisRateLimit\Tests\Support\HttpClient;
use RedisRateLimit\Tests\Support\HttpResponse;
use RedisRateLimit\Tests\Support\Nginx;
use RedisRateLimit\Tests\Support\TemporaryDirectory;
use RedisRateLimit\Tests\Symfony\App\Application;

/** The bundle in a real web server's processes. */
final class FpmTest extends SymfonyTestCase
{
    public function testOfTwoThousandRequestsByEightClientsExactlyAThousandPass(): void
    {
        $directory = new TemporaryDirectory('ratelimit-symfony');
        $directory->write('config.yaml', <<<'YAML'
            redis_rate_limit:
                url: '%env(REDIS_URL)%'
                timeout: 10
                default: api
                policies: { api: { policy: sliding_log, limit: 1000, interval: '1 hour' } }
            YAML);
        (new Application($directory->path))->boot();
        putenv("APP_DIRECTORY={$directory->path}");
        putenv('REDIS_URL=' . self::$redis->url());
        $pool = new FpmPool(workers: 8);
        $nginx = new Nginx($pool, __DIR__ . '/App/public/index.php');

        $answers = HttpClient::burst(array_fill(0, 2000, $nginx->url('/hello')), 8);

        $statuses = array_count_values(array_map(static fn (HttpResponse $answer): int => $answer->status, $answers));
        ksort($statuses);
        self::assertSame([200 => 1000, 429 => 1000], $statuses, $pool->log());
        $remaining = array_map(static fn (HttpResponse $answer): int => (int) $answer->header('X-RateLimit-Remaining'), $answers);
        $passed = array_keys(array_filter($answers, static fn (HttpResponse $answer): bool => $answer->status === 200));
        $left = array_map(static fn (int $number): int => $remaining[$number], $passed);
        rsort($left);
        self::assertSame(range(999, 0), $left, 'no two requests were given the same place');
        self::assertLessThanOrEqual(8 + 1, self::$redis->connectionsSeen(), 'one connection per worker, and the one of the test');
    }
}
