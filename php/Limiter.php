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
     * Takes $cost tokens from the budget of $tenant in $scope, or refuses and takes nothing. An absent Redis is answered
     * by the policy's failure rule, never by an exception.
     *
     * @param ?string $requestId kept by a sliding log with audit; at most 128 bytes
     *
     * @throws \InvalidArgumentException for an empty tenant or scope, $cost < 1 or a longer request id
     */
    public function consume(Policy $policy, string $tenant, string $scope = 'global', int $cost = 1, ?string $requestId = null): Decision;

    /**
     * Whether consume() of $cost would pass now. Writes nothing.
     *
     * @param int $cost tokens, 0 or more
     *
     * @throws \InvalidArgumentException for an empty tenant or scope, or $cost < 0
     */
    public function peek(Policy $policy, string $tenant, string $scope = 'global', int $cost = 1): Decision;

    /**
     * Gives back what this Decision took, once, in the process that took it. True if anything came back; false too while
     * Redis is away.
     *
     * @throws \InvalidArgumentException for a Decision that was made behind another URL
     */
    public function refund(Decision $decision): bool;

    /**
     * Forgets the tenant's state; true if there was any.
     *
     * @throws StoreUnavailable
     * @throws \InvalidArgumentException for an empty tenant or scope
     */
    public function reset(Policy $policy, string $tenant, string $scope = 'global'): bool;

    /**
     * Oldest first, what a sliding log still holds.
     *
     * @return list<array{at: float, cost: int, request_id: ?string}> `at` in Unix seconds
     *
     * @throws StoreUnavailable
     * @throws InvalidPolicy for another algorithm
     * @throws \InvalidArgumentException for an empty tenant or scope
     */
    public function history(Policy $policy, string $tenant, string $scope = 'global'): array;

    /**
     * Round trip in seconds.
     *
     * @throws StoreUnavailable
     */
    public function ping(): float;
}
