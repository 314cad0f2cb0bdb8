<?php

declare(strict_types=1);

namespace RedisRateLimit\Testing;

use RedisRateLimit\Decision;
use RedisRateLimit\Policy;

/** Builds the Decision that the extension would give for a policy in a given state. */
final class FakeDecision
{
    /** @param int $left the calls that still pass after this one */
    public static function of(Policy $policy, bool $allowed, int $left, int $cost = 1): Decision
    {
        $remaining = $allowed ? min($policy->limit, $left) : 0;
        $retryAfter = $allowed ? null : $policy->interval;
        $resetAt = microtime(true) + $policy->interval;

        return Decision::fromArray([
            'allowed' => $allowed,
            'policy' => $policy->name,
            'window' => $policy->name,
            'limit' => $policy->limit,
            'remaining' => $remaining,
            'cost' => $cost,
            'delay' => 0.0,
            'retryAfter' => $retryAfter,
            'resetAt' => $resetAt,
            'reason' => $allowed ? null : 'limited',
            'shadow' => false,
            'degraded' => false,
            'error' => null,
            'cached' => false,
            'windows' => [[
                'window' => $policy->name,
                'allowed' => $allowed,
                'limit' => $policy->limit,
                'remaining' => $remaining,
                'retryAfter' => $retryAfter,
                'resetAt' => $resetAt,
            ]],
        ]);
    }
}
