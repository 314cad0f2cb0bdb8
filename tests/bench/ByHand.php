<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/**
 * Limits by a script of lua/ and phpredis. The leanest token bucket is a leaky bucket too, and the sliding log, which
 * keeps a request id per entry, an audit log: these have no scripts of their own.
 */
final class ByHand
{
    private const HOUR = 3_600_000_000;

    private readonly Scripts $scripts;

    public function __construct(private readonly \Redis $redis)
    {
        $this->scripts = new Scripts($redis);
    }

    /** @param list<int|float> $arguments */
    public function allows(string $name, string $script, array $arguments, int $keys = 1): Contender
    {
        return new Contender("by hand: $name", $this->scripts->call($script, self::keys("hand:$name", $keys), $arguments));
    }

    /**
     * By so many tenants in turn.
     *
     * @param list<int|float> $arguments
     */
    public function allowsAnyOf(int $tenants, string $name, string $script, array $arguments): Contender
    {
        [$redis, $sha, $i] = [$this->redis, $this->scripts->sha($script), 0];

        return new Contender("by hand: $name", static function () use ($redis, $sha, $arguments, $tenants, &$i): bool {
            return $redis->evalSha($sha, ['hand:many:198.51.100.' . ($i = ($i + 7919) % $tenants), ...$arguments], 1)[0] === 1;
        });
    }

    /** @param list<int|float> $arguments that let one request pass, and no other one for an hour */
    public function refuses(string $name, string $script, array $arguments, int $keys = 1): Contender
    {
        $call = $this->scripts->call($script, self::keys("full:$name", $keys), $arguments);
        $call();

        return new Contender("by hand: $name", $call, false);
    }

    /** A log that holds so many entries before each batch, and has room for more. */
    public function growingLog(string $name, int $entries): Contender
    {
        $this->fill($key = "hand:log$entries", $entries);
        $call = $this->scripts->log($key, $entries + 1000, self::HOUR);

        return new Contender("by hand: $name", $call, prepare: (new Snapshot($this->redis, $key))->restore(...));
    }

    /** A log that holds as many entries as it may. */
    public function fullLog(string $name, int $entries): Contender
    {
        $this->fill($key = "full:log$entries", $entries);

        return new Contender("by hand: $name", $this->scripts->log($key, $entries, self::HOUR), false);
    }

    private function fill(string $key, int $entries): void
    {
        [$seconds, $micros] = $this->redis->time();
        $entry = static fn (int $i): array => [$seconds * 1_000_000 + $micros, "request-before-$i"];
        foreach (array_chunk(range(1, $entries), 1000) as $some) {
            $this->redis->zAdd($key, ...array_merge(...array_map($entry, $some)));
        }
    }

    /** @return list<string> in one slot, as a cluster wants them */
    private static function keys(string $name, int $count): array
    {
        return array_map(static fn (int $i): string => '{' . strtr($name, ' ', '-') . "}:$i", range(1, $count));
    }
}
