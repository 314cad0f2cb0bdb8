<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/**
 * What stands below any limit in Redis, by phpredis: scripts that read the clock, the policy's numbers and the state,
 * write a state and answer in the formats of lua/, and an object of the answer; only nothing is decided.
 */
final class Floors
{
    public const ONE = 'floor: all but deciding';
    public const THREE = 'floor: all but deciding, 3 keys';

    private const STATE = "\0\0\0\0\0\0\1\0\0\0\0";
    private const ANSWER = 40;

    public function __construct(private readonly \Redis $redis)
    {
    }

    /** Below a limit of one policy. */
    public function single(bool $allowed): Contender
    {
        return $this->floor(self::ONE, $allowed ? 'floor_state' : 'floor_read');
    }

    /** Below a compound of 3. */
    public function compound(bool $allowed): Contender
    {
        return $this->floor(self::THREE, $allowed ? 'floor_state' : 'floor_read', 3);
    }

    /** What it is sent and answers is as long as ours; the answer is sent with it. */
    public function anyScript(): Contender
    {
        [$redis, $sha, $reply] = [$this->redis, $this->sha('floor_empty'), str_repeat('x', self::ANSWER)];
        $all = ['hand:floor_empty', str_repeat('x', 10), 60_000, $reply];

        return new Contender('floor: any script', static fn (): bool => $redis->evalSha($sha, $all, 1) === $reply);
    }

    private function floor(string $name, string $script, int $members = 1): Contender
    {
        [$redis, $sha] = [$this->redis, $this->sha($script)];
        $keys = array_map(static fn (int $i): string => "{hand:$script}:$i", range(1, $members));
        $arguments = [];
        foreach ($keys as $key) {
            $redis->set($key, self::STATE);
            array_push($arguments, pack('CCe6', 1, 0, 1, 1, 1, 1, 1, 0), 60_000);
        }
        $all = [...$keys, ...$arguments];

        return new Contender($name, static function () use ($redis, $sha, $all, $members): bool {
            $reply = $redis->evalSha($sha, $all, $members);
            DecisionLike::make();

            return strlen($reply) === self::ANSWER * $members;
        });
    }

    private function sha(string $script): string
    {
        return (new Scripts($this->redis))->sha($script);
    }
}
