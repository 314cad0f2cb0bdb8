<?php

declare(strict_types=1);

namespace RedisRateLimit;

/** Hears of every decision that NativeLimiter's consume() brings: what events and profilers are built on. */
interface DecisionListener
{
    /** @param float $microseconds what the whole call took, the round trip to Redis included */
    public function decided(Policy $policy, string $tenant, string $scope, Decision $decision, float $microseconds): void;
}
