<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench\Measurements;

use RedisRateLimit\Bench\Contenders;
use RedisRateLimit\Bench\Frameworks;
use RedisRateLimit\Bench\Latency;
use RedisRateLimit\Bench\Measurement;

/** A token bucket of ours beside what frameworks and Predis bring. */
final class LatencyOfFrameworks implements Measurement
{
    public static function ini(): array
    {
        return LatencyOverUnixSocket::ini();
    }

    public static function run(bool $quick): array
    {
        $results = [];
        foreach (['allowed', 'refused'] as $outcome) {
            $latency = new Latency($quick);
            $frameworks = new Frameworks($latency->redis, $latency->server->socket, $outcome === 'allowed');
            $ours = $latency->contenders->{$outcome}()[0];
            array_push($results, ...$latency->of("beside frameworks, $outcome", [$ours, ...$frameworks->all()]));
        }

        return $results;
    }
}
