<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

use RedisRateLimit\Tests\Support\RedisServer;

/** Contenders beside a PING of phpredis, as a group of results. */
final class Latency
{
    public readonly RedisServer $server;
    public readonly \Redis $redis;
    public readonly Contenders $contenders;

    public function __construct(private readonly bool $quick, bool $tcp = false)
    {
        $this->server = new RedisServer();
        $this->redis = new \Redis();
        $tcp ? $this->redis->connect('127.0.0.1', $this->server->port) : $this->redis->connect($this->server->socket);
        $this->contenders = new Contenders($this->redis, $tcp ? $this->server->tcpUrl() : $this->server->url());
    }

    /**
     * @param list<Contender> $contenders
     * @return list<Result>
     */
    public function of(string $group, array $contenders): array
    {
        $measured = (new Rounds($this->quick ? 40 : 400))->measure([$this->contenders->ping(), ...$contenders]);
        $results = [];
        foreach ($measured as $name => ['ratio' => $ratio, 'micros' => $micros]) {
            $results[] = new Result($group, $name, '× PING', $ratio);
            $results[] = new Result($group, $name, 'µs', $micros);
        }

        return $results;
    }
}
