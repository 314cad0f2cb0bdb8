<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench\Measurements;

use RedisRateLimit\Bench\Contender;
use RedisRateLimit\Bench\DecisionLike;
use RedisRateLimit\Bench\Latency;
use RedisRateLimit\Bench\Measurement;

/** Refusals that the memory of this machine answers. */
final class LatencyOfRememberedRefusals implements Measurement
{
    public static function ini(): array
    {
        return ['ratelimit.refusal_cache_ttl_ms' => '1000'];
    }

    public static function run(bool $quick): array
    {
        $latency = new Latency($quick);
        $remembered = static fn (Contender $contender): bool => str_starts_with($contender->name, 'ours');
        $refused = array_values(array_filter($latency->contenders->refused(), $remembered));

        return $latency->of('refused from memory', [...$refused, new Contender(DecisionLike::NAME, DecisionLike::make(...), false)]);
    }
}
