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
        $server = new RedisServer(['lua-time-limit' => '60000']);
        $limiter = new RateLimiter($server->url(), timeout: 5.0);
        $results = [];
        foreach ([1_000, $quick ? 100_000 : 1_000_000] as $keys) {
            self::fill($server, $limiter, $keys);
            $contenders = [...self::limits($limiter), self::anyOf($limiter, $keys)];
            foreach ((new Rounds($quick ? 20 : 200, self::CALLS))->measure($contenders) as $name => ['micros' => $micros]) {
                $results[] = new Result(self::GROUP, $name, sprintf('%s keys', number_format($keys)), 1e6 / $micros);
            }
        }

        return $results;
    }

    /** @return list<Contender> */
    private static function limits(RateLimiter $limiter): array
    {
        $contenders = [];
        foreach (self::LIMITS as $limit) {
            $bucket = Policy::tokenBucket("bucket$limit", $limit, 1, 0.000001);
            $log = Policy::slidingLog("log$limit", $limit + self::CALLS, 3600);
            $contenders[] = new Contender(
                sprintf('token bucket of %s', number_format($limit)),
                static fn (): bool => $limiter->consume($bucket, 'tenant')->allowed,
            );
            $contenders[] = new Contender(
                sprintf('sliding log with %s entries', number_format($limit)),
                static fn (): bool => $limiter->consume($log, 'tenant')->allowed,
                prepare: static function () use ($limiter, $log, $limit): void {
                    $limiter->reset($log, 'tenant');
                    $limiter->consume($log, 'tenant', cost: $limit);
                },
            );
        }

        return $contenders;
    }

    private static function anyOf(RateLimiter $limiter, int $keys): Contender
    {
        $policy = self::policy();
        $i = 0;

        return new Contender('token bucket of any of the keys', static function () use ($limiter, $policy, $keys, &$i): bool {
            $i = ($i + 7919) % $keys;

            return $limiter->consume($policy, "tenant$i")->allowed;
        });
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
