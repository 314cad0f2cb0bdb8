<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/**
 * Scripts that decide nothing, by phpredis: what stands below any limit in Redis. What they are sent and answer is as
 * long as ours; the answer is sent with them.
 */
final class Floors
{
    public const ALLOWED = 'floor: TIME, GET, SET';
    public const REFUSED = 'floor: TIME, GET';
    public const THREE_ALLOWED = 'floor: TIME, 3 × GET, 3 × SET';
    public const THREE_REFUSED = 'floor: TIME, 3 × GET';

    public function __construct(private readonly \Redis $redis)
    {
    }

    /** Below a limit of one policy. */
    public function single(bool $allowed): Contender
    {
        return $allowed ? $this->floor(self::ALLOWED, 'floor_state') : $this->floor(self::REFUSED, 'floor_read');
    }

    /** Below a compound of 3. */
    public function compound(bool $allowed): Contender
    {
        return $allowed ? $this->floor(self::THREE_ALLOWED, 'floor_state', 3) : $this->floor(self::THREE_REFUSED, 'floor_read', 3);
    }

    public function anyScript(): Contender
    {
        return $this->floor('floor: any script', 'floor_empty');
    }

    private function floor(string $name, string $script, int $members = 1): Contender
    {
        [$redis, $sha, $reply] = [$this->redis, (new Scripts($this->redis))->sha($script), str_repeat('x', 40 * $members)];
        $keys = array_map(static fn (int $i): string => "{hand:$script}:$i", range(1, $members));
        foreach ($keys as $key) {
            $redis->set($key, '12345678901');
        }
        $all = [...$keys, str_repeat('x', 10 * $members), 60_000, $reply];

        return new Contender($name, static fn (): bool => $redis->evalSha($sha, $all, $members) === $reply);
    }
}
