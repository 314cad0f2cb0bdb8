<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Policy;
use RedisRateLimit\Tests\Support\FpmPool;
use RedisRateLimit\Tests\Support\HttpClient;
use RedisRateLimit\Tests\Support\HttpResponse;
use RedisRateLimit\Tests\Support\Nginx;
use RedisRateLimit\Tests\Support\Php;
use RedisRateLimit\Tests\Support\RedisServer;
use RedisRateLimit\Tests\Support\TemporaryDirectory;

/** Workers that are forked, reloaded, replaced, killed or left idle: what comes after is a normal decision. */
final class ProcessLifeTest extends FaultTestCase
{
    private const SCRIPT = <<<'PHP'
        <?php
        $decision = (new RedisRateLimit\RateLimiter())->consume(RedisRateLimit\Policy::fixedWindow('p', 1000, '1 day'), 'alice');
        http_response_code($decision->degraded ? 503 : ($decision->allowed ? 200 : 429));
        echo json_encode(['worker' => getmypid(), 'remaining' => $decision->remaining, 'error' => $decision->error]);
        PHP;

    private RedisServer $redis;
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->redis = new RedisServer();
        $this->directory = new TemporaryDirectory();
    }

    public function testAReloadedMasterStartsWorkersThatDecide(): void
    {
        [$pool, $nginx] = $this->pool();
        self::assertSame([200 => 100], self::statuses(self::burst($nginx, 100)));
        $before = $pool->workerPids();

        posix_kill($pool->masterPid(), SIGUSR2);
        self::waitUntil(static fn () => count($pool->workerPids()) === 4 && array_intersect($before, $pool->workerPids()) === []);
        $answers = self::burst($nginx, 100);

        self::assertSame([200 => 100], self::statuses($answers), $pool->log());
        self::assertSame(range(899, 800), self::remaining($answers), 'each request had its own place');
        self::assertLessThanOrEqual(8, $this->redis->connectionsSeen());
    }

    public function testWorkersAreReplacedAllTheTimeAndNoRequestNoticesIt(): void
    {
        [$pool, $nginx] = $this->pool(requests: 25);
        $answers = self::burst($nginx, 1200);

        self::assertSame([200 => 1000, 429 => 200], self::statuses($answers), $pool->log());
        $workers = count(array_unique(array_map(static fn (HttpResponse $answer) => json_decode($answer->body)->worker, $answers)));
        self::assertGreaterThanOrEqual(1200 / 25, $workers);
        self::assertLessThanOrEqual($workers, $this->redis->connectionsSeen(), 'one connection per worker');
        self::waitUntil(fn () => (int) $this->redis->info('connected_clients') <= 4 + 1);
    }

    public function testAWorkerKilledWhileItDecidesTakesNobodyAlong(): void
    {
        [$pool, $nginx] = $this->pool(['ratelimit.timeout_ms' => '20000']);
        self::assertSame([200 => 40], self::statuses(self::burst($nginx, 40)));
        $this->redis->freeze();
        $requests = array_map(fn () => self::open($nginx), [1, 2, 3, 4]);
        self::waitUntil(fn () => self::waiting($pool) === 4);
        $victims = array_slice($pool->workerPids(), 0, 2);
        foreach ($victims as $pid) {
            posix_kill($pid, SIGKILL);
        }
        $this->redis->thaw();
        $statuses = array_map(static fn ($request): int => (int) substr((string) stream_get_contents($request), 9, 3), $requests);
        sort($statuses);

        self::assertSame([200, 200, 502, 502], $statuses);
        self::waitUntil(static fn () => count($pool->workerPids()) === 4);
        $remaining = self::remaining(self::burst($nginx, 50));
        self::assertSame(range($remaining[0], $remaining[0] - 49), $remaining);
        // The two that were killed had asked; whether Redis counted them is theirs alone.
        self::assertContains($remaining[0], [955, 956, 957]);
    }

    public function testWhatIsPreloadedMayDecideBeforeTheWorkersAreForked(): void
    {
        $preload = $this->directory->write('preload.php', self::SCRIPT);
        $user = posix_getpwuid(posix_geteuid())['name'];
        [$pool, $nginx] = $this->pool(['opcache.enable' => '1', 'opcache.preload' => $preload, 'opcache.preload_user' => $user]);
        self::assertSame(1, (int) $this->redis->command('EXISTS', 'rl:p:alice:global'), 'the preloaded script decided');
        $answers = self::burst($nginx, 200);

        self::assertSame([200 => 200], self::statuses($answers), $pool->log());
        self::assertSame(range(998, 799), self::remaining($answers));
        self::assertLessThanOrEqual(1 + 4, $this->redis->connectionsSeen(), 'one of the master, one per worker');
    }

    public function testForksInTheMiddleOfAnOutageAndOfARecovery(): void
    {
        $result = Php::run(sprintf(<<<'PHP'
            $limiter = new RedisRateLimit\RateLimiter('%s', timeout: 10.0);
            $policy = RedisRateLimit\Policy::fixedWindow('p', 1000, '1 day');
            $decision = $limiter->consume($policy, 'alice');
            for ($child = 0; $child < 20; $child++) {
                if (pcntl_fork() === 0) {
                    for ($i = 0; $i < 10; $i++) {
                        $decision = $limiter->consume($policy, 'alice');
                    }
                    exit($decision->degraded ? 1 : 0);
                }
                $limiter->consume($policy, 'alice');
            }
            $failed = 0;
            while (pcntl_wait($status) > 0) {
                $failed += pcntl_wexitstatus($status) + (int) pcntl_wifsignaled($status);
            }
            echo $failed, ' ', $limiter->consume($policy, 'alice')->remaining;
            PHP, $this->redis->tcpUrl()));

        self::assertSame(['stdout' => '0 ' . (1000 - 1 - 200 - 20 - 1), 'stderr' => '', 'exit' => 0], $result);
    }

    public function testAWorkerWhoseConnectionTheServerClosedIdleDecidesNormally(): void
    {
        $limiter = self::patient($this->redis->tcpUrl());
        $policy = Policy::fixedWindow('p', 10, '1 day');
        $left = 9;
        $decides = static function () use ($limiter, $policy, &$left): void {
            $decision = $limiter->consume($policy, 'alice');
            self::assertSame([$left--, false], [$decision->remaining, $decision->degraded], (string) $decision->error);
        };
        $decides();
        $this->redis->command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        $decides();
        $this->redis->command('CONFIG', 'SET', 'timeout', '1');
        self::waitUntil(fn () => (int) $this->redis->info('connected_clients') === 1);
        $this->redis->command('CONFIG', 'SET', 'timeout', '0');
        $decides();
        foreach (['tcpUrl', 'url'] as $url) {
            $this->redis->restart();
            $left = 9;
            $limiter = self::patient($this->redis->$url());
            $decides();
        }
    }

    /**
     * @param array<string, string> $ini
     * @return array{FpmPool, Nginx}
     */
    private function pool(array $ini = [], int $requests = 0): array
    {
        $pool = new FpmPool(4, $ini + ['ratelimit.url' => $this->redis->tcpUrl(), 'ratelimit.timeout_ms' => '10000'], $requests);

        return [$pool, new Nginx($pool, $this->directory->write('index.php', self::SCRIPT))];
    }

    /** @return list<HttpResponse> */
    private static function burst(Nginx $nginx, int $requests): array
    {
        return HttpClient::burst(array_fill(0, $requests, $nginx->url()), 16);
    }

    /** @return resource a request under way */
    private static function open(Nginx $nginx)
    {
        $request = stream_socket_client("tcp://127.0.0.1:{$nginx->port}");
        fwrite($request, "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n");

        return $request;
    }

    /** How many workers wait for an answer of Redis: they sleep in ppoll, not in accept. */
    private static function waiting(FpmPool $pool): int
    {
        $calls = array_map(static fn (int $pid): int => (int) @file_get_contents("/proc/$pid/syscall"), $pool->workerPids());

        return count(array_keys($calls, self::PPOLL[php_uname('m')]));
    }

    private const PPOLL = ['x86_64' => 271, 'aarch64' => 73];

    /**
     * @param list<HttpResponse> $answers
     * @return array<int, int>
     */
    private static function statuses(array $answers): array
    {
        $statuses = array_count_values(array_map(static fn (HttpResponse $answer) => $answer->status, $answers));
        ksort($statuses);

        return $statuses;
    }

    /**
     * @param list<HttpResponse> $answers
     * @return list<int> the largest first
     */
    private static function remaining(array $answers): array
    {
        $remaining = array_map(static fn (HttpResponse $answer): int => json_decode($answer->body)->remaining, $answers);
        rsort($remaining);

        return $remaining;
    }
}
