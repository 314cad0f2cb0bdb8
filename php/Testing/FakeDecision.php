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
        $asked = ['policy' => $policy->name, 'cost' => $cost];
        if ($policy->algorithm === 'unlimited') {
            return Decision::fromArray($asked + ['allowed' => true, 'limit' => $policy->limit, 'remaining' => $policy->limit]);
        }
        $shadow = !$allowed && ($policy->toArray()['shadow'] ?? false) === true;
        $shadowed = $shadow ? ['allowed' => true, 'shadow' => true, 'retryAfter' => null] : [];

        return Decision::fromArray($asked + $shadowed + self::state($policy, $allowed, $left) + [
            'reason' => $allowed ? null : 'limited',
            'windows' => array_map(
                static fn (Policy $member): array => ['window' => $member->name] + self::state($member, $allowed, $left),
                self::members($policy),
            ),
            'now' => microtime(true),
        ]);
    }

    /** @return array{allowed: bool, limit: int, remaining: int, retryAfter: ?float, resetAt: float} */
    private static function state(Policy $policy, bool $allowed, int $left): array
    {
        return [
            'allowed' => $allowed,
            'limit' => $policy->limit,
            'remaining' => $allowed ? min($policy->limit, $left) : 0,
            'retryAfter' => $allowed ? null : $policy->interval,
            'resetAt' => microtime(true) + $policy->interval,
        ];
    }

    /** @return list<Policy> of a compound, else the policy itself */
    private static function members(Policy $policy): array
    {
        /** @var ?array<string, array<string, mixed>> $members */
        $members = $policy->toArray()['limiters'] ?? null;
        if ($members === null) {
            return [$policy];
        }

        return array_map(Policy::fromArray(...), array_map('strval', array_keys($members)), array_values($members));
    }
}
