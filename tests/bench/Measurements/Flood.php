<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench\Measurements;

use RedisRateLimit\Bench\Measurement;
use RedisRateLimit\Bench\Result;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\RedisServer;

/** A client that is refused 10,000 times a second: how much of it Redis sees. */
final class Flood implements Measurement
{
    private const RATE = 10_000;
    private const BATCH = 100;

    public static function ini(): array
    {
        return ['ratelimit.refusal_cache_ttl_ms' => '1000'];
    }

    public static function run(bool $quick): array
    {
        $seconds = $quick ? 2 : 10;
        $server = new RedisServer();
        $limiter = new RateLimiter($server->url(), timeout: 5.0);
        $policy = Policy::tokenBucket('login', 5, 5, 3600);
        $limiter->consume($policy, 'attacker', cost: 5);
        $before = (int) $server->info('total_commands_processed');
        $refused = self::flood($limiter, $policy, $seconds);
        // One is the INFO that asked before.
        $seen = (int) $server->info('total_commands_processed') - $before - 1;

        return [
            new Result('a client that is refused 10,000 times a second', 'requests refused', 'per second', $refused / $seconds),
            new Result('a client that is refused 10,000 times a second', 'commands that Redis saw', 'per second', $seen / $seconds),
        ];
    }

    private static function flood(RateLimiter $limiter, Policy $policy, int $seconds): int
    {
        $refused = 0;
        $start = hrtime(true);
        for ($batch = 0; $batch < $seconds * self::RATE / self::BATCH; $batch++) {
            $due = $start + (int) ($batch * self::BATCH * 1e9 / self::RATE);
            usleep(max(0, intdiv($due - hrtime(true), 1000)));
            for ($i = 0; $i < self::BATCH; $i++) {
                $refused += $limiter->consume($policy, 'attacker')->allowed ? 0 : 1;
            }
        }

        return $refused;
    }
}
