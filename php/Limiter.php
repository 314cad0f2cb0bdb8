<?php

declare(strict_types=1);

namespace RedisRateLimit;

/**
 * What the adapters ask for a decision: the methods of the extension's final class RateLimiter as an interface, so
 * that applications can decorate it and tests can replace it (Testing\FakeLimiter). NativeLimiter is the real one.
 */
interface Limiter
{
    /**
     * Takes $cost from the budget of $tenant in $scope, or refuses and takes nothing. An absent Redis is answered by
     * the policy's failure rule, never by an exception.
     *
     * @throws \InvalidArgumentException for an empty tenant or scope, or $cost < 1
     */
    public function consume(Policy $policy, string $tenant, string $scope = 'global', int $cost = 1, ?string $requestId = null): Decision;

    /** Whether consume() of $cost (0 allowed) would pass now. Writes nothing. */
    public function peek(Policy $policy, string $tenant, string $scope = 'global', int $cost = 1): Decision;

    /** Gives back what this Decision took, once. True if anything came back. */
    public function refund(Decision $decision): bool;

    /**
     * Forgets the tenant's state; true if there was any.
     *
     * @throws StoreUnavailable
     */
    public function reset(Policy $policy, string $tenant, string $scope = 'global'): bool;

    /**
     * Oldest first, what a sliding log still holds.
     *
     * @return list<array{at: float, cost: int, request_id: ?string}> `at` in Unix seconds
     *
     * @throws StoreUnavailable
     * @throws InvalidPolicy for another algorithm
     */
    public function history(Policy $policy, string $tenant, string $scope = 'global'): array;

    /**
     * Round trip in seconds.
     *
     * @throws StoreUnavailable
     */
    public function ping(): float;
}
