<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench\Measurements;

use RedisRateLimit\Bench\CpuTime;
use RedisRateLimit\Bench\LoadGenerator;
use RedisRateLimit\Bench\Measurement;
use RedisRateLimit\Bench\Result;
use RedisRateLimit\Bench\Rounds;
use RedisRateLimit\Tests\Support\FpmPool;
use RedisRateLimit\Tests\Support\Nginx;
use RedisRateLimit\Tests\Support\RedisServer;

/** Requests through nginx and PHP-FPM to a script that does nothing, asks us, or asks a hand-written script. */
final class WebServer implements Measurement
{
    private const GROUP = 'through nginx and PHP-FPM';
    private const SCRIPTS = ['empty' => 'empty script', 'ours' => 'ours', 'by-hand' => 'by hand: phpredis, pconnect, EVALSHA'];
    private const CLIENTS = 4;

    public static function ini(): array
    {
        return [];
    }

    public static function run(bool $quick): array
    {
        $redis = new RedisServer();
        putenv('BY_HAND_SHA=' . sha1_file(dirname(__DIR__) . '/lua/token_bucket.lua'));
        $pool = new FpmPool(self::CLIENTS, ['ratelimit.url' => $redis->url(), 'opcache.enable' => '1', 'ratelimit.timeout_ms' => '5000']);
        $nginx = new Nginx($pool, dirname(__DIR__) . '/web/index.php');
        $load = new LoadGenerator($nginx->port, self::CLIENTS);
        $all = [];
        // Short runs that take turns, so that the rest of the machine falls on all alike.
        for ($round = -1; $round < ($quick ? 2 : 20); $round++) {
            foreach (array_keys(self::SCRIPTS) as $path) {
                $before = CpuTime::of(...$pool->workerPids());
                $run = $load->run("/$path", $quick ? 500 : 1000);
                $cpu = (CpuTime::of(...$pool->workerPids()) - $before) / count($run->micros);
                if ($round >= 0) { // the first one warms up
                    $all[$path]['rates'][] = count($run->micros) / $run->seconds;
                    $all[$path]['cpu'][] = $cpu;
                    $all[$path]['p50'][] = Rounds::quantile($run->micros, 0.5);
                    $all[$path]['p99'][] = Rounds::quantile($run->micros, 0.99);
                }
            }
        }

        return self::results($all);
    }

    /** @return list<Result> */
    private static function results(array $all): array
    {
        $results = [];
        foreach (self::SCRIPTS as $path => $name) {
            $over = array_map(static fn (float $own, float $empty): float => $own - $empty, $all[$path]['cpu'], $all['empty']['cpu']);
            foreach ([
                'requests/s' => $all[$path]['rates'],
                'p50 µs' => $all[$path]['p50'],
                'p99 µs' => $all[$path]['p99'],
                'worker CPU µs' => $all[$path]['cpu'],
                'over empty µs' => $over,
            ] as $column => $values) {
                $results[] = new Result(self::GROUP, $name, $column, Rounds::median($values));
            }
        }

        return $results;
    }
}
