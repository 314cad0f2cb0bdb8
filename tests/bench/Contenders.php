<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

use RedisRateLimit\Policy;

/** The same limits by this extension and by hand, on one server, and the floors below them. */
final class Contenders
{
    /** A limit that is never reached. */
    private const MANY = 100_000_000;
    private const HOUR_IN_MICROS = 3_600_000_000;
    private const LOGS = [10, 1_000, 10_000];

    public readonly Floors $floors;
    private readonly Ours $ours;
    private readonly ByHand $hand;

    public function __construct(private readonly \Redis $redis, string $url)
    {
        $this->ours = new Ours($redis, $url);
        $this->hand = new ByHand($redis);
        $this->floors = new Floors($redis);
    }

    public function ping(): Contender
    {
        return new Contender('phpredis PING', fn (): bool => (bool) $this->redis->ping());
    }

    public function tokenBucket(bool $allowed): Contender
    {
        return $allowed
            ? $this->ours->allows('token bucket', Ours::bucket('bucket'))
            : $this->ours->refuses('token bucket', Ours::emptyBucket('empty'));
    }

    /** @return list<Contender> */
    public function allowed(): array
    {
        $bucket = [self::MANY, 1_000];

        return [
            $this->tokenBucket(true),
            $this->hand->allows('token bucket in a hash', 'token_bucket_hash', [self::MANY, 1, 1]),
            $this->hand->allows('token bucket', 'token_bucket', [...$bucket, 1]),
            $this->ours->allows('leaky bucket', Policy::leakyBucket('leaky', 10_000_000, 1_000_000)),
            $this->ours->allows('sliding window', Policy::slidingWindow('sliding', self::MANY, 60)),
            $this->hand->allows('sliding window', 'sliding_window', [self::MANY, 60_000_000, 1]),
            $this->ours->allows('fixed window', Policy::fixedWindow('fixed', self::MANY, 60)),
            $this->hand->allows('fixed window', 'fixed_window', [self::MANY, 60_000, 1]),
            $this->ours->allows('compound of 2', Policy::compound('two', Ours::bucket('a'), Ours::bucket('b'))),
            $this->hand->allows('compound of 2', 'compound', [...$bucket, ...$bucket], keys: 2),
            $this->ours->allows('compound of 3', Policy::compound('three', Ours::bucket('a'), Ours::bucket('b'), Ours::bucket('c'))),
            $this->hand->allows('compound of 3', 'compound', [...$bucket, ...$bucket, ...$bucket], keys: 3),
            $this->ours->allows('compound of 3 algorithms', Policy::compound(
                'mixed',
                Ours::bucket('a'),
                Policy::slidingWindow('b', self::MANY, 60),
                Policy::fixedWindow('c', self::MANY, 3600),
            )),
            ...$this->logs('growingLog'),
            $this->ours->allowsAnyOf(10_000, 'token bucket, 10,000 keys', Ours::bucket('many')),
            $this->hand->allowsAnyOf(10_000, 'token bucket, 10,000 keys', 'token_bucket', [...$bucket, 1]),
            $this->floors->anyScript(),
            $this->floors->single(true),
            $this->floors->compound(true),
        ];
    }

    /** @return list<Contender> a compound by its last member, after all others had passed */
    public function refused(): array
    {
        [$bucket, $empty] = [[self::MANY, 1_000], [1, self::HOUR_IN_MICROS]];

        return [
            $this->tokenBucket(false),
            $this->hand->refuses('token bucket in a hash', 'token_bucket_hash', [1, 1e3 / self::HOUR_IN_MICROS, 1]),
            $this->hand->refuses('token bucket', 'token_bucket', [...$empty, 1]),
            $this->ours->refuses('leaky bucket', Policy::leakyBucket('full-leaky', 1, 1, 3600)),
            $this->ours->refuses('sliding window', Policy::slidingWindow('full-sliding', 1, 3600)),
            $this->hand->refuses('sliding window', 'sliding_window', [1, self::HOUR_IN_MICROS, 1]),
            $this->ours->refuses('fixed window', Policy::fixedWindow('full-fixed', 1, 3600)),
            $this->hand->refuses('fixed window', 'fixed_window', [1, 3_600_000, 1]),
            $this->ours->refuses('compound of 2', Policy::compound('full-two', Ours::bucket('a'), Ours::emptyBucket('b'))),
            $this->hand->refuses('compound of 2', 'compound', [...$bucket, ...$empty], keys: 2),
            $this->ours->refuses('compound of 3', Policy::compound('full-three', Ours::bucket('a'), Ours::bucket('b'), Ours::emptyBucket('c'))),
            $this->hand->refuses('compound of 3', 'compound', [...$bucket, ...$bucket, ...$empty], keys: 3),
            ...$this->logs('fullLog'),
            $this->floors->single(false),
            $this->floors->compound(false),
        ];
    }

    /**
     * @param 'growingLog'|'fullLog' $kind
     * @return list<Contender>
     */
    private function logs(string $kind): array
    {
        $logs = [];
        foreach (self::LOGS as $entries) {
            $name = sprintf('sliding log, %s entries', number_format($entries));
            array_push($logs, $this->ours->$kind($name, $entries), $this->hand->$kind($name, $entries));
        }

        return [...$logs, $this->ours->$kind('audit log, 1,000 entries', 1_000, audit: true)];
    }
}
