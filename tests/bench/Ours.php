<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;

/** Limits by this extension. */
final class Ours
{
    private const TENANT = '203.0.113.77';

    private readonly RateLimiter $limiter;

    public function __construct(private readonly \Redis $redis, string $url)
    {
        $this->limiter = new RateLimiter($url, timeout: 5.0);
    }

    /** A token bucket that is never empty. */
    public static function bucket(string $name): Policy
    {
        return Policy::tokenBucket($name, 100_000_000, 1_000);
    }

    /** One that refuses after one request, for an hour. */
    public static function emptyBucket(string $name): Policy
    {
        return Policy::tokenBucket($name, 1, 1, 3600);
    }

    public function allows(string $name, Policy $policy): Contender
    {
        return new Contender("ours: $name", $this->call($policy));
    }

    /** By so many tenants in turn. */
    public function allowsAnyOf(int $tenants, string $name, Policy $policy): Contender
    {
        [$limiter, $i] = [$this->limiter, 0];

        return new Contender("ours: $name", static function () use ($limiter, $policy, $tenants, &$i): bool {
            return $limiter->consume($policy, '198.51.100.' . ($i = ($i + 7919) % $tenants))->allowed;
        });
    }

    /** @param Policy $policy that lets one request pass, and no other one for an hour */
    public function refuses(string $name, Policy $policy): Contender
    {
        $call = $this->call($policy);
        $call();

        return new Contender("ours: $name", $call, false);
    }

    /** A log that holds so many entries before each batch, and has room for more. */
    public function growingLog(string $name, int $entries, bool $audit = false): Contender
    {
        $policy = Policy::slidingLog($audit ? "audit$entries" : "log$entries", $entries + 1000, 3600, $audit);
        $call = $this->filled($policy, $entries, $audit);
        $key = "rl:$policy->name:" . self::TENANT . ':global';

        return new Contender("ours: $name", $call, prepare: (new Snapshot($this->redis, $key))->restore(...));
    }

    /** A log that holds as many entries as it may. */
    public function fullLog(string $name, int $entries, bool $audit = false): Contender
    {
        $policy = Policy::slidingLog($audit ? "full-audit$entries" : "full-log$entries", $entries, 3600, $audit);

        return new Contender("ours: $name", $this->filled($policy, $entries, $audit), false);
    }

    /** @return \Closure(): bool */
    private function call(Policy $policy): \Closure
    {
        $limiter = $this->limiter;

        return static fn (): bool => $limiter->consume($policy, self::TENANT)->allowed;
    }

    /** @return \Closure(): bool a call of a log that holds so many entries, an audit log's call with a request id */
    private function filled(Policy $policy, int $entries, bool $audit): \Closure
    {
        $limiter = $this->limiter;
        if (!$audit) {
            $limiter->consume($policy, self::TENANT, cost: $entries);

            return $this->call($policy);
        }
        $id = 0;
        $call = static function () use ($limiter, $policy, &$id): bool {
            return $limiter->consume($policy, self::TENANT, requestId: 'request-' . ++$id)->allowed;
        };
        while ($id < $entries) {
            $call();
        }

        return $call;
    }
}
