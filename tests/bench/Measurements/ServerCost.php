<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench\Measurements;

use RedisRateLimit\Bench\Contender;
use RedisRateLimit\Bench\Contenders;
use RedisRateLimit\Bench\CpuTime;
use RedisRateLimit\Bench\Measurement;
use RedisRateLimit\Bench\Result;
use RedisRateLimit\Bench\Rounds;
use RedisRateLimit\Tests\Support\RedisServer;

/** What a decision costs Redis: CPU over that of a PING, bytes on the wire and in the append-only file. */
final class ServerCost implements Measurement
{
    private const CALLS = 100;
    private const GROUP = 'what a decision costs Redis';

    private readonly RedisServer $server;
    private readonly \Redis $redis;
    private readonly int $pid;
    /** A connection of its own, so that asking does not count. */
    private readonly \Redis $observer;

    private function __construct()
    {
        $this->server = new RedisServer(['appendonly' => 'yes', 'appendfsync' => 'no', 'auto-aof-rewrite-percentage' => '0']);
        [$this->redis, $this->observer] = [new \Redis(), new \Redis()];
        $this->redis->connect($this->server->socket);
        $this->observer->connect($this->server->socket);
        $this->pid = (int) $this->server->info('process_id');
    }

    public static function ini(): array
    {
        return LatencyOverUnixSocket::ini();
    }

    public static function run(bool $quick): array
    {
        return (new self())->results($quick ? 15 : 120);
    }

    /** @return list<Result> */
    private function results(int $rounds): array
    {
        $contenders = new Contenders($this->redis, $this->server->url());
        $measured = ['allowed' => $contenders->allowed(), 'refused' => $contenders->refused()];
        $results = [];
        foreach ($measured as $outcome => $list) {
            $ping = $contenders->ping();
            $cpu = $this->cpu($rounds, [$ping, ...$list]);
            foreach ($list as $contender) {
                $name = "{$contender->name}, $outcome";
                $results[] = new Result(self::GROUP, $name, 'CPU µs over PING', $cpu[$contender->name] - $cpu[$ping->name]);
                foreach ($this->bytes($contender) as $column => $bytes) {
                    $results[] = new Result(self::GROUP, $name, $column, $bytes);
                }
            }
        }

        return $results;
    }

    /**
     * @param list<Contender> $contenders
     * @return array<string, float> medians
     */
    private function cpu(int $rounds, array $contenders): array
    {
        $spent = [];
        for ($round = 0; $round < $rounds; $round++) {
            foreach ($contenders as $contender) {
                $contender->prepare ? ($contender->prepare)() : null;
                $call = $contender->call;
                $before = CpuTime::of($this->pid);
                for ($i = 0; $i < self::CALLS; $i++) {
                    $call();
                }
                $spent[$contender->name][] = (CpuTime::of($this->pid) - $before) / self::CALLS;
            }
        }

        return array_map(Rounds::median(...), $spent);
    }

    /** @return array<string, float> per decision */
    private function bytes(Contender $contender): array
    {
        $contender->prepare ? ($contender->prepare)() : null;
        $count = fn (): array => array_map('intval', array_intersect_key(
            $this->observer->info('stats') + $this->observer->info('persistence'),
            ['total_net_input_bytes' => 0, 'total_net_output_bytes' => 0, 'aof_current_size' => 0],
        ));
        $spent = function (int $calls) use ($contender, $count): array {
            $before = $count();
            for ($i = 0; $i < $calls; $i++) {
                ($contender->call)();
            }
            $after = $count();

            return array_map(static fn (int $a, int $b): int => $a - $b, $after, $before);
        };
        // What asking itself costs is in both, and so falls out.
        [$none, $some] = [$spent(0), $spent(self::CALLS)];
        $each = array_map(static fn (int $a, int $b): float => ($a - $b) / self::CALLS, $some, $none);

        return array_combine(['bytes to Redis', 'bytes back', 'bytes in the AOF'], $each);
    }
}
