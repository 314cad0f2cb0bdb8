<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench\Measurements;

use RedisRateLimit\Bench\Measurement;
use RedisRateLimit\Bench\Result;
use RedisRateLimit\Bench\Scripts;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\RedisServer;

/** What a tenant's keys take when they are in use up to their limits, of ours and of the scripts by hand. */
final class MemoryOfKeys implements Measurement
{
    private const HOUR = 3_600_000_000;
    /** Where a script by hand keeps its state: a key as long as ours, for names count too. */
    private const KEY = 'rl:api:203.0.113.77:global';

    private readonly RedisServer $server;
    private readonly RateLimiter $limiter;
    private readonly Scripts $scripts;

    private function __construct()
    {
        $this->server = new RedisServer();
        $this->limiter = new RateLimiter($this->server->url(), timeout: 5.0);
        $redis = new \Redis();
        $redis->connect($this->server->socket);
        $this->scripts = new Scripts($redis);
    }

    public static function ini(): array
    {
        return LatencyOverUnixSocket::ini();
    }

    public static function run(bool $quick): array
    {
        [$memory, $results] = [new self(), []];
        foreach ($memory->fillings() as $name => $columns) {
            foreach ($columns as $column => $fill) {
                $results[] = new Result('memory of a key', $name, "$column, bytes", $memory->bytes($fill));
            }
        }

        return $results;
    }

    /** @return array<string, array<string, \Closure(): mixed>> */
    private function fillings(): array
    {
        $bucket = Policy::tokenBucket('api', 1_000, 1, 60);
        $compound = Policy::compound('api', ...array_map(static fn (string $name): Policy => Policy::tokenBucket($name, 1_000, 1, 60), ['a', 'b', 'c']));
        $lean = $this->scripts->call('token_bucket', [self::KEY], [1_000, 60_000_000, 1_000]);
        $three = array_map(static fn (string $member): string => "rl:{api:203.0.113.77:global}:$member", ['a', 'b', 'c']);
        $fillings = [
            'token bucket' => ['ours' => $this->ours($bucket), 'by hand' => $lean],
            'token bucket in a hash' => ['by hand' => $this->scripts->call('token_bucket_hash', [self::KEY], [1_000, 0.001, 1])],
            'leaky bucket' => ['ours' => $this->ours(Policy::leakyBucket('api', 1_000, 1, 60)), 'by hand' => $lean],
            'sliding window' => [
                'ours' => $this->ours(Policy::slidingWindow('api', 1_000, 3600)),
                'by hand' => $this->scripts->call('sliding_window', [self::KEY], [1_000, self::HOUR, 1_000]),
            ],
            'fixed window' => [
                'ours' => $this->ours(Policy::fixedWindow('api', 1_000, 3600)),
                'by hand' => $this->scripts->call('fixed_window', [self::KEY], [1_000, 3_600_000, 1_000]),
            ],
            'compound of 3, all keys' => [
                'ours' => $this->ours($compound),
                'by hand' => $this->scripts->call('compound', $three, array_merge(...array_fill(0, 3, [1_000, 60_000_000]))),
            ],
        ];
        foreach ([10, 1_000, 10_000] as $entries) {
            $fillings[sprintf('sliding log, %s entries', number_format($entries))] = [
                'ours' => $this->ours(Policy::slidingLog('api', $entries, 3600), $entries),
                'by hand' => $this->logByHand($entries),
            ];
        }
        $fillings['audit log, 1,000 entries'] = ['ours' => $this->auditLog(1_000), 'by hand' => $this->logByHand(1_000)];

        return $fillings;
    }

    private function ours(Policy $policy, int $cost = 1_000): \Closure
    {
        return fn (): bool => $this->limiter->consume($policy, '203.0.113.77', cost: $cost)->allowed;
    }

    private function auditLog(int $entries): \Closure
    {
        $policy = Policy::slidingLog('api', $entries, 3600, audit: true);

        return function () use ($policy): void {
            for ($id = 1; $this->limiter->consume($policy, '203.0.113.77', requestId: "request-$id")->allowed; $id++);
        };
    }

    private function logByHand(int $entries): \Closure
    {
        $log = $this->scripts->log(self::KEY, $entries, self::HOUR);

        return static function () use ($log): void {
            while ($log());
        };
    }

    /** @param \Closure(): mixed $fill */
    private function bytes(\Closure $fill): float
    {
        $this->server->command('FLUSHALL');
        $fill();

        return array_sum(array_map(fn (string $key): int => $this->server->command('MEMORY', 'USAGE', $key, 'SAMPLES', 0), $this->server->keys()));
    }
}
