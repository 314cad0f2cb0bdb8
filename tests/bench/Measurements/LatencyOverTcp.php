<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench\Measurements;

use RedisRateLimit\Bench\Latency;
use RedisRateLimit\Bench\Measurement;

/** The same over TCP, on this machine. */
final class LatencyOverTcp implements Measurement
{
    public static function ini(): array
    {
        return LatencyOverUnixSocket::ini();
    }

    public static function run(bool $quick): array
    {
        $latency = new Latency($quick, tcp: true);

        return [
            ...$latency->of('TCP, allowed', $latency->contenders->allowed()),
            ...$latency->of('TCP, refused by Redis', $latency->contenders->refused()),
        ];
    }
}
