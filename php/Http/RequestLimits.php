<?php

declare(strict_types=1);

namespace RedisRateLimit\Http;

use RedisRateLimit\Decision;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policy;

/**
 * What one request has taken so far. A policy attached to it twice counts once, at the higher cost; a refusal gives
 * back what the policies before it took, so that a refused request costs nothing. Adapters keep one per request.
 */
final class RequestLimits
{
    /** The request attribute that holds the most restrictive Decision. */
    public const DECISION = '_rate_limit';

    /** @var array<array<array<int>>> cost taken by policy, tenant and scope */
    private array $taken = [];

    /** @var list<Decision> */
    private array $decisions = [];

    public function __construct(private readonly Limiter $limiter)
    {
    }

    /**
     * @return ?Decision null: this request has taken that much already
     *
     * @throws \InvalidArgumentException as Limiter::consume()
     */
    public function take(Policy $policy, string $tenant, string $scope = 'global', int $cost = 1, ?string $requestId = null): ?Decision
    {
        $taken = $this->taken[$policy->name][$tenant][$scope] ?? 0;
        if ($cost >= 1 && $cost <= $taken) {
            return null;
        }
        $decision = $this->limiter->consume($policy, $tenant, $scope, $cost < 1 ? $cost : $cost - $taken, $requestId);
        if ($decision->allowed) {
            $this->taken[$policy->name][$tenant][$scope] = $cost;
        } elseif (!$decision->degraded) { // an absent Redis takes nothing back, and asking it would take the time of another timeout
            $this->giveBack();
            $decision = $taken === 0 ? $decision : $this->refusalOfAll($policy, $tenant, $scope, $cost) ?? $decision;
        }

        return $this->decisions[] = $decision;
    }

    /** What the application itself asked for: the headers tell of it too. */
    public function add(Decision $decision): void
    {
        $this->decisions[] = $decision;
    }

    /** @return list<Decision> */
    public function decisions(): array
    {
        return $this->decisions;
    }

    /**
     * Only what was missing has been refused, but the next request will ask for all of it: it is told whether and when
     * that passes.
     *
     * @return ?Decision null: others have gone in the meantime, or Redis has
     */
    private function refusalOfAll(Policy $policy, string $tenant, string $scope, int $cost): ?Decision
    {
        $decision = $this->limiter->peek($policy, $tenant, $scope, $cost);

        return $decision->allowed || $decision->degraded ? null : $decision;
    }

    private function giveBack(): void
    {
        foreach ($this->decisions as $decision) {
            if ($decision->allowed && !$decision->degraded) {
                $this->limiter->refund($decision);
            }
        }
        $this->taken = [];
    }
}
