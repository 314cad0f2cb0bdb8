<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Tests\Support\FpmPool;
use RedisRateLimit\Tests\Support\HttpClient;
use RedisRateLimit\Tests\Support\HttpResponse;

/** A pool of four workers under mixed load for a long time, while Redis goes and comes back again and again. */
final class Soak
{
    private const MIXED = <<<'PHP'
        <?php
        use RedisRateLimit\{Policy, RateLimiter};
        $limiter = new RateLimiter();
        $policies = [
            Policy::tokenBucket('bucket', 50, 10), Policy::slidingLog('log', 100, 10), Policy::slidingLog('audit', 50, 10, audit: true),
            Policy::leakyBucket('leaky', 20, 10)->failClosed(), Policy::slidingWindow('window', 100, 5)->shadow(),
            Policy::compound('both', Policy::fixedWindow('a', 50, 5), Policy::slidingLog('b', 500, 60)),
        ];
        $policy = $policies[mt_rand(0, 5)];
        $tenant = 'tenant ' . mt_rand(0, 30);
        $decision = $limiter->consume($policy, $tenant, cost: mt_rand(1, 3), requestId: uniqid());
        $decision->toHeaders();
        json_encode([$decision, $policy]);
        mt_rand(0, 3) === 0 && $limiter->refund($decision);
        mt_rand(0, 3) === 0 && $limiter->peek($policy, $tenant);
        if (mt_rand(0, 9) === 0) {
            try { $limiter->history($policies[2], $tenant); $limiter->reset($policies[0], $tenant); } catch (RedisRateLimit\StoreUnavailable) {}
        }
        echo json_encode(['worker' => getmypid(), 'degraded' => $decision->degraded]);
        PHP;

    /** @var array<int, int> how many answers had which status */
    public readonly array $statuses;
    public readonly int $degraded;
    public readonly float $slowest;
    public readonly int $restarts;

    /** @var array{list<int>, list<int>} the workers at the beginning and at the end */
    public readonly array $workers;

    /** @var array{int, int} KiB of the largest worker, after the first third and at the end */
    public readonly array $resident;

    /** @var list<int> the workers that answered when all was over */
    public readonly array $alive;
    public readonly string $log;

    /** @param int $timeout ratelimit.timeout_ms */
    public function __construct(float $seconds, float $restartEvery, int $timeout = 50)
    {
        $site = new Site(self::MIXED, $timeout, ['ratelimit.breaker_cooldown_ms' => '200', 'ratelimit.refusal_cache_ttl_ms' => '1000']);
        [$redis, $pool, $url] = [$site->redis, $site->pool, $site->nginx->url()];
        $before = $pool->workerPids();
        $load = new Load($url, $seconds);
        $early = null;
        $restarts = 0;
        for ($start = microtime(true); microtime(true) - $start < $seconds - $restartEvery / 2; $restarts++) {
            usleep((int) ($restartEvery * 1e6));
            // In turn: gone at once and back later, and stopped for a while with its connections open.
            $restarts % 2 === 0 ? $redis->stop() : $redis->freeze();
            usleep((int) ($restartEvery * 0.2e6));
            $restarts % 2 === 0 ? $redis->start() : $redis->thaw();
            if ($early === null && microtime(true) - $start > $seconds / 3) {
                $early = self::resident($pool);
            }
        }
        [$this->statuses, $this->degraded, $this->slowest] = self::summary($load);
        $this->restarts = $restarts;
        $this->resident = [$early, self::resident($pool)];
        $this->workers = [$before, $pool->workerPids()];
        $last = HttpClient::burst(array_fill(0, 200, $url), 16);
        $alive = array_unique(array_map(static fn (HttpResponse $answer): int => json_decode($answer->body)->worker, $last));
        sort($alive);
        $this->alive = $alive;
        $this->log = $pool->log();
    }

    /** @return array{array<int, int>, int, float} answers by status, degraded ones, seconds of the slowest */
    private static function summary(Load $load): array
    {
        [$statuses, $degraded, $slowest] = [[], 0, 0.0];
        foreach ($load->answers() as $answer) {
            $statuses[$answer['status']] = ($statuses[$answer['status']] ?? 0) + 1;
            $degraded += (int) (json_decode($answer['body'])?->degraded === true);
            $slowest = max($slowest, $answer['seconds']);
        }

        return [$statuses, $degraded, $slowest];
    }

    private static function resident(FpmPool $pool): int
    {
        return max(array_map(static function (int $pid): int {
            preg_match('/^VmRSS:\s+(\d+)/m', file_get_contents("/proc/$pid/status"), $match);

            return (int) $match[1];
        }, $pool->workerPids()));
    }
}
