<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench\Measurements;

use RedisRateLimit\Bench\Frameworks;
use RedisRateLimit\Bench\Latency;
use RedisRateLimit\Bench\Measurement;

/** A token bucket of ours beside what frameworks and Predis bring, and the floor below all of them. */
final class LatencyOfFrameworks implements Measurement
{
    public static function ini(): array
    {
        return LatencyOverUnixSocket::ini();
    }

    public static function run(bool $quick): array
    {
        $results = [];
        foreach (['allowed' => true, 'refused' => false] as $outcome => $allowed) {
            $latency = new Latency($quick);
            $frameworks = new Frameworks($latency->redis, $latency->server->socket, $allowed);
            array_push($results, ...$latency->of("beside frameworks, $outcome", [
                $latency->contenders->tokenBucket($allowed),
                ...$frameworks->all(),
                $latency->contenders->floors->single($allowed),
            ]));
        }

        return $results;
    }
}
