<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Events;

use Illuminate\Container\Container;
use RedisRateLimit\Decision;
use RedisRateLimit\DecisionListener;
use RedisRateLimit\Policy;

/** Turns decisions worth knowing into events of the application that is running now (under Octane one per request). */
final class DecisionEvents implements DecisionListener
{
    public function decided(Policy $policy, string $tenant, string $scope, Decision $decision, float $microseconds): void
    {
        if ($decision->degraded) {
            Container::getInstance()->make('events')->dispatch(new RateLimitDegraded($decision, $tenant, $scope));
        } elseif (!$decision->allowed) {
            Container::getInstance()->make('events')->dispatch(new RateLimitExceeded($decision, $tenant, $scope));
        }
    }
}
