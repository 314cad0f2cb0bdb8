<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;

/** The same limits by this extension and by hand, on one server. */
final class Contenders
{
    public const TENANT = '203.0.113.77';
    /** Limits that are never reached. */
    private const MANY = 100_000_000;
    private const LOG_SIZES = [10, 1_000, 10_000];

    private readonly RateLimiter $limiter;
    private readonly Scripts $scripts;

    public function __construct(private readonly \Redis $redis, string $url)
    {
        $this->limiter = new RateLimiter($url, timeout: 5.0);
        $this->scripts = new Scripts($redis);
    }

    public function ping(): Contender
    {
        return new Contender('phpredis PING', fn (): bool => (bool) $this->redis->ping());
    }

    /** @return list<Contender> */
    public function allowed(): array
    {
        $sha = $this->scripts->sha('token_bucket');
        $many = self::bucket('many');

        return [
            $this->ours('token bucket', self::bucket('bucket')),
            $this->byHand('token bucket in a hash', 'token_bucket_hash', [self::MANY, 1000, 1]),
            $this->byHand('token bucket', 'token_bucket', [self::MANY, 1, 1]),
            $this->ours('leaky bucket', Policy::leakyBucket('leaky', 10_000_000, 1_000_000)),
            $this->ours('sliding window', Policy::slidingWindow('sliding', self::MANY, 60)),
            $this->byHand('sliding window', 'sliding_window', [self::MANY, 60_000_000, 1]),
            $this->ours('fixed window', Policy::fixedWindow('fixed', self::MANY, 60)),
            $this->byHand('fixed window', 'fixed_window', [self::MANY, 60_000, 1]),
            $this->ours('compound of 2', Policy::compound('two', self::bucket('a'), self::bucket('b'))),
            $this->compoundByHand(2),
            $this->ours('compound of 3', Policy::compound('three', self::bucket('a'), self::bucket('b'), self::bucket('c'))),
            $this->compoundByHand(3),
            $this->ours('compound of 3 algorithms', Policy::compound(
                'mixed',
                self::bucket('a'),
                Policy::slidingWindow('b', self::MANY, 60),
                Policy::fixedWindow('c', self::MANY, 3600),
            )),
            ...array_merge(...array_map($this->growingLogs(...), self::LOG_SIZES)),
            $this->floor('any script', 'floor_empty'),
            $this->floor('TIME, GET, SET', 'floor_state'),
            $this->manyTenants('ours: token bucket, 10,000 keys', fn (string $tenant): bool => $this->limiter->consume($many, $tenant)->allowed),
            $this->manyTenants('by hand: token bucket, 10,000 keys', fn (string $tenant): bool => $this->redis->evalSha($sha, ["hand:many:$tenant", self::MANY, 1, 1], 1)[0] === 1),
        ];
    }

    /** @return list<Contender> */
    public function refused(): array
    {
        return [
            $this->refusal('token bucket', Policy::tokenBucket('empty', 1, 1, 3600)),
            new Contender('by hand: token bucket in a hash', $this->scripts->call('token_bucket_hash', ['hand:empty-hash'], [0, 0.000001, 1]), false),
            new Contender('by hand: token bucket', $this->scripts->call('token_bucket', ['hand:empty'], [0, 3_600_000_000, 1]), false),
            $this->refusal('sliding window', Policy::slidingWindow('full-sliding', 1, 3600)),
            $this->refusal('fixed window', Policy::fixedWindow('full-fixed', 1, 3600)),
            $this->refusal('sliding log, 1,000 entries', Policy::slidingLog('full-log', 1000, 3600), 1000),
            $this->refusal('compound of 3', Policy::compound(
                'full-three',
                self::bucket('a'),
                self::bucket('b'),
                Policy::tokenBucket('c', 1, 1, 3600),
            )),
        ];
    }

    public static function bucket(string $name): Policy
    {
        return Policy::tokenBucket($name, self::MANY, 1_000_000);
    }

    private function ours(string $name, Policy $policy): Contender
    {
        $limiter = $this->limiter;

        return new Contender("ours: $name", static fn (): bool => $limiter->consume($policy, self::TENANT)->allowed);
    }

    private function refusal(string $name, Policy $policy, int $taken = 1): Contender
    {
        $this->limiter->consume($policy, self::TENANT, cost: $taken);

        return new Contender("ours: $name", $this->ours('', $policy)->call, false);
    }

    private function byHand(string $name, string $script, array $arguments): Contender
    {
        return new Contender("by hand: $name", $this->scripts->call($script, ["hand:$script"], $arguments));
    }

    /** A script that decides nothing, with phpredis; what it is sent and answers is as long as ours. */
    private function floor(string $name, string $script): Contender
    {
        [$redis, $sha, $reply] = [$this->redis, $this->scripts->sha($script), str_repeat('x', 40)];
        $arguments = ["hand:$script", str_repeat('x', 50), 60_000, $reply];

        return new Contender("floor: $name", static fn (): bool => $redis->evalSha($sha, $arguments, 1) === $reply);
    }

    private function compoundByHand(int $members): Contender
    {
        $keys = array_map(static fn (int $i): string => "{hand:compound$members}:$i", range(1, $members));
        $arguments = array_merge(...array_fill(0, $members, [self::MANY, 1]));

        return new Contender("by hand: compound of $members", $this->scripts->call('compound', $keys, $arguments));
    }

    /** @return list<Contender> logs that hold so many entries before each batch, and have room for more */
    private function growingLogs(int $entries): array
    {
        [$redis, $limiter, $key] = [$this->redis, $this->limiter, "hand:log$entries"];
        $policy = Policy::slidingLog("log$entries", $entries + 1000, 3600);
        $name = sprintf('sliding log, %s entries', number_format($entries));

        return [
            new Contender("ours: $name", $this->ours('', $policy)->call, prepare: static function () use ($limiter, $policy, $entries): void {
                $limiter->reset($policy, self::TENANT);
                $limiter->consume($policy, self::TENANT, cost: $entries);
            }),
            new Contender("by hand: $name", $this->scripts->log($key, $entries + 1000, 3_600_000_000), prepare: static function () use ($redis, $key, $entries): void {
                $now = $redis->time();
                $entry = static fn (int $i): array => [$now[0] * 1_000_000 + $now[1], "request-before-$i"];
                $redis->del($key);
                foreach (array_chunk(range(1, $entries), 1000) as $some) {
                    $redis->zAdd($key, ...array_merge(...array_map($entry, $some)));
                }
            }),
        ];
    }

    /** @param \Closure(string): bool $call */
    private function manyTenants(string $name, \Closure $call): Contender
    {
        $i = 0;

        return new Contender($name, static function () use ($call, &$i): bool {
            return $call('198.51.100.' . ($i = ($i + 7919) % 10_000));
        });
    }
}
