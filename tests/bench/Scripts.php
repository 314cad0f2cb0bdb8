<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/** What one writes by hand with phpredis: a script of lua/, loaded once, then EVALSHA. */
final class Scripts
{
    public function __construct(private readonly \Redis $redis)
    {
    }

    /**
     * @param list<string>           $keys
     * @param list<string|int|float> $arguments
     * @return \Closure(): bool whether it allows
     */
    public function call(string $script, array $keys, array $arguments): \Closure
    {
        [$redis, $sha, $all, $count] = [$this->redis, $this->sha($script), [...$keys, ...$arguments], count($keys)];

        return static fn (): bool => $redis->evalSha($sha, $all, $count)[0] === 1;
    }

    /** The same for a log, whose entries need a name each. */
    public function log(string $key, int $limit, int $windowMicros): \Closure
    {
        [$redis, $sha, $id] = [$this->redis, $this->sha('sliding_log'), 0];

        return static function () use ($redis, $sha, $key, $limit, $windowMicros, &$id): bool {
            return $redis->evalSha($sha, [$key, $limit, $windowMicros, 'request-' . ++$id], 1)[0] === 1;
        };
    }

    public function sha(string $script): string
    {
        return $this->redis->script('load', file_get_contents(__DIR__ . "/lua/$script.lua"));
    }
}
