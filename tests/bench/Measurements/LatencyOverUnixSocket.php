<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench\Measurements;

use RedisRateLimit\Bench\Latency;
use RedisRateLimit\Bench\Measurement;

/** Every algorithm, allowed, and refused by Redis. */
final class LatencyOverUnixSocket implements Measurement
{
    public static function ini(): array
    {
        return ['ratelimit.refusal_cache' => '0'];
    }

    public static function run(bool $quick): array
    {
        $latency = new Latency($quick);

        return [
            ...$latency->of('unix socket, allowed', $latency->contenders->allowed()),
            ...$latency->of('unix socket, refused by Redis', $latency->contenders->refused()),
        ];
    }
}
