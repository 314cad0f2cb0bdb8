<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench\Measurements;

use RedisRateLimit\Bench\Contender;
use RedisRateLimit\Bench\Measurement;
use RedisRateLimit\Bench\Result;
use RedisRateLimit\Bench\Rounds;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\RedisServer;

/** Decisions per second of one client, with few and many live keys, and small and large limits. */
final class CostAgainstSize implements Measurement
{
    public const GROUP = 'decisions per second';
    private const LIMITS = [10, 100, 1_000, 10_000, 100_000];
    private const CALLS = 20;
    private const COPIES = <<<'LUA'
        local state, ttl = redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])
        for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do
          redis.call('SET', 'rl:sized:tenant' .. string.format('%d', i) .. ':global', state, 'PX', ttl)
        end
        LUA;

    public static function ini(): array
    {
        return LatencyOverUnixSocket::ini();
    }

    public static function run(bool $quick): array
    {
        [$servers, $columns] = [[], []];
        foreach ([1_000, $quick ? 100_000 : 1_000_000] as $keys) {
            $servers[] = $server = new RedisServer(['lua-time-limit' => '60000']);
            $columns[number_format($keys) . ' keys'] = self::rows($server, $keys);
        }
        // Both servers take turns: a machine that grows slower meanwhile is slower for both.
        $measured = (new Rounds($quick ? 20 : 200, self::CALLS))->measure(array_merge(...array_map(array_values(...), array_values($columns))));
        $results = [];
        foreach ($columns as $column => $rows) {
            foreach ($rows as $row => $contender) {
                $results[] = new Result(self::GROUP, $row, $column, 1e6 / $measured[$contender->name]['micros']);
            }
        }

        return $results;
    }

    /** @return array<string, Contender> by what the keys do not change */
    private static function rows(RedisServer $server, int $keys): array
    {
        $limiter = new RateLimiter($server->url(), timeout: 5.0);
        self::fill($server, $limiter, $keys);
        $rows = [];
        foreach (self::LIMITS as $limit) {
            $formatted = number_format($limit);
            $rows["token bucket of $formatted"] = self::bucket($limiter, $limit);
            $rows["sliding log with $formatted entries"] = self::log($limiter, $limit);
        }
        $rows['token bucket of any of the keys'] = self::anyOf($limiter, $keys);
        $named = static fn (string $row, array $call): Contender => new Contender("$row, $keys keys", ...$call);

        return array_combine(array_keys($rows), array_map($named, array_keys($rows), $rows));
    }

    /** @return array{call: \Closure(): bool} */
    private static function bucket(RateLimiter $limiter, int $limit): array
    {
        $policy = Policy::tokenBucket("bucket$limit", $limit, 1, 0.000001);

        return ['call' => static fn (): bool => $limiter->consume($policy, 'tenant')->allowed];
    }

    /** @return array{call: \Closure(): bool, prepare: \Closure} */
    private static function log(RateLimiter $limiter, int $limit): array
    {
        $policy = Policy::slidingLog("log$limit", $limit + self::CALLS, 3600);

        return [
            'call' => static fn (): bool => $limiter->consume($policy, 'tenant')->allowed,
            'prepare' => static function () use ($limiter, $policy, $limit): void {
                $limiter->reset($policy, 'tenant');
                $limiter->consume($policy, 'tenant', cost: $limit);
            },
        ];
    }

    /** @return array{call: \Closure(): bool} */
    private static function anyOf(RateLimiter $limiter, int $keys): array
    {
        $policy = self::policy();
        $i = 0;

        return ['call' => static function () use ($limiter, $policy, $keys, &$i): bool {
            $i = ($i + 7919) % $keys;

            return $limiter->consume($policy, "tenant$i")->allowed;
        }];
    }

    private static function policy(): Policy
    {
        return Policy::tokenBucket('sized', 1_000_000, 1, 1);
    }

    private static function fill(RedisServer $server, RateLimiter $limiter, int $keys): void
    {
        $limiter->consume(self::policy(), 'first');
        for ($i = 0; $i < $keys; $i += 10_000) {
            $server->command('EVAL', self::COPIES, 1, 'rl:sized:first:global', $i, min($i + 10_000, $keys) - 1);
        }
    }
}
