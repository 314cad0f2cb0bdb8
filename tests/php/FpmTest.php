<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\Tests\Support\FpmPool;
use RedisRateLimit\Tests\Support\HttpClient;
use RedisRateLimit\Tests\Support\HttpResponse;
use RedisRateLimit\Tests\Support\Nginx;
use RedisRateLimit\Tests\Support\RedisServer;
use RedisRateLimit\Tests\Support\TemporaryDirectory;

/** In a real PHP-FPM pool a worker's connection outlives its requests. */
final class FpmTest extends TestCase
{
    private const SCRIPT = <<<'PHP'
        <?php
        use RedisRateLimit\{Policy, RateLimiter};
        $policy = Policy::fixedWindow('p', 1000, 3600);
        $decision = (new RateLimiter())->consume($policy, 'alice');
        http_response_code($decision->degraded ? 503 : ($decision->allowed ? 200 : 429));
        foreach ($decision->toHeaders() as $name => $value) {
            header("$name: $value");
        }
        echo getmypid(), ' ', $decision->error;
        PHP;

    private RedisServer $redis;
    private TemporaryDirectory $directory;
    private FpmPool $pool;
    private Nginx $nginx;

    protected function setUp(): void
    {
        $this->redis = new RedisServer();
        $this->directory = new TemporaryDirectory();
        $this->pool = new FpmPool(4, ['ratelimit.url' => $this->redis->tcpUrl(), 'ratelimit.timeout_ms' => '10000']);
        $this->nginx = new Nginx($this->pool, $this->directory->write('index.php', self::SCRIPT));
    }

    protected function tearDown(): void
    {
        $this->nginx->stop();
        $this->pool->stop();
        $this->redis->stop();
        $this->directory->remove();
    }

    public function testFourWorkersOpenFourConnectionsForTwoThousandRequests(): void
    {
        $answers = $this->burst(2000);

        $statuses = array_count_values(array_map(static fn (HttpResponse $answer) => $answer->status, $answers));
        ksort($statuses);
        self::assertSame([200 => 1000, 429 => 1000], $statuses);
        self::assertCount(4, self::workers($answers), 'workers');
        self::assertSame(4, $this->redis->connectionsSeen());
        self::assertLessThanOrEqual(5, $this->timesSent('eval'), 'once per start of Redis and once per worker');
        self::assertSame(2000, $this->timesSent('evalsha') - $this->rejected('evalsha') + $this->timesSent('eval'), 'scripts run');
        self::assertStringNotContainsString('Warning', $this->pool->log());
    }

    public function testAWorkerThatDiesIsReplacedByOneWithAConnectionOfItsOwn(): void
    {
        $workers = self::workers($this->burst(100));
        posix_kill((int) $workers[0], SIGKILL);
        for ($deadline = microtime(true) + 10; count($this->pool->workerPids()) < 4 || in_array((int) $workers[0], $this->pool->workerPids(), true); usleep(5000)) {
            self::assertLessThan($deadline, microtime(true), 'the worker was not replaced');
        }
        $answers = array_filter($this->burst(400), static fn (HttpResponse $answer) => $answer->status !== 502);

        self::assertNotSame([], $answers);
        foreach ($answers as $answer) {
            self::assertContains($answer->status, [200, 429], $answer->body);
        }
        $all = array_unique([...$workers, ...self::workers($answers)]);
        self::assertSame(count($all), $this->redis->connectionsSeen(), 'one for each worker that had anything to do');
    }

    public function testAllWorkersOfAPoolKnowWhoIsRefused(): void
    {
        $pool = new FpmPool(4, ['ratelimit.url' => $this->redis->url(), 'ratelimit.timeout_ms' => '10000', 'ratelimit.refusal_cache_ttl_ms' => '600000']);
        $nginx = new Nginx($pool, $this->directory->write('index.php', str_replace('1000, 3600', '1, 3600', self::SCRIPT)));
        try {
            self::assertSame(200, HttpClient::get($nginx->url())->status);
            self::assertSame(429, HttpClient::get($nginx->url())->status);
            $sent = $this->timesSent('evalsha');
            $answers = HttpClient::burst(array_fill(0, 400, $nginx->url()), 16);
        } finally {
            $nginx->stop();
            $pool->stop();
        }

        self::assertSame([429 => 400], array_count_values(array_column($answers, 'status')));
        self::assertGreaterThan(1, count(self::workers($answers)), 'workers');
        self::assertSame($sent, $this->timesSent('evalsha'));
    }

    /**
     * @param array<HttpResponse> $answers
     *
     * @return list<string> the ids of the processes that gave them
     */
    private static function workers(array $answers): array
    {
        return array_values(array_unique(array_map(static fn (HttpResponse $answer) => $answer->body, $answers)));
    }

    /** @return list<HttpResponse> */
    private function burst(int $requests): array
    {
        return HttpClient::burst(array_fill(0, $requests, $this->nginx->url()), 16);
    }

    private function timesSent(string $command): int
    {
        preg_match("/^cmdstat_$command:calls=(\d+)/m", $this->redis->command('INFO', 'commandstats'), $match);

        return (int) ($match[1] ?? 0);
    }

    private function rejected(string $command): int
    {
        preg_match("/^cmdstat_$command:.*failed_calls=(\d+)/m", $this->redis->command('INFO', 'commandstats'), $match);

        return (int) ($match[1] ?? 0);
    }
}
