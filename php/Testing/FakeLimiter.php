<?php

declare(strict_types=1);

namespace RedisRateLimit\Testing;

use RedisRateLimit\Decision;
use RedisRateLimit\DecisionListener;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\UnknownPolicy;

/**
 * A Limiter for an application's own tests: needs no Redis, allows everything until told otherwise, and remembers
 * what was consumed. What a test says last about a policy holds; what it says about no policy holds for the others.
 */
final class FakeLimiter implements Limiter
{
    use RemembersCalls;

    private const EVERY_POLICY = '';

    /** @var array<string, int> policy name to the calls of it that still pass */
    private array $left = [self::EVERY_POLICY => \PHP_INT_MAX];

    /** @var list<DecisionListener> */
    private array $listeners;

    /** Refuses arguments that could never be used, and asks no Redis about an unlimited policy. */
    private RateLimiter $validator;

    public function __construct(DecisionListener ...$listeners)
    {
        $this->validator = new RateLimiter('unix:///nowhere');
        $this->listeners = array_values($listeners);
    }

    /** @throws UnknownPolicy here and below, for a name that the application does not configure */
    public function allow(Policy|string|null $policy = null): self
    {
        return $this->denyAfter(\PHP_INT_MAX, $policy);
    }

    public function deny(Policy|string|null $policy = null): self
    {
        return $this->denyAfter(0, $policy);
    }

    /** Allows $calls more, refuses the rest. */
    public function denyAfter(int $calls, Policy|string|null $policy = null): self
    {
        $this->left[$policy === null ? self::EVERY_POLICY : $this->nameOf($policy)] = $calls;

        return $this;
    }

    public function consume(Policy $policy, string $tenant, string $scope = 'global', int $cost = 1, ?string $requestId = null): Decision
    {
        $this->validator->consume(self::unlimited($policy), $tenant, $scope, $cost, $requestId);
        $rule = isset($this->left[$policy->name]) ? $policy->name : self::EVERY_POLICY;
        $allowed = $this->left[$rule] > 0;
        $this->left[$rule] -= (int) ($allowed && $this->left[$rule] !== \PHP_INT_MAX);
        $decision = FakeDecision::of($policy, $allowed, $this->left[$rule], $cost);
        $this->consumed[] = ['policy' => $policy->name, 'tenant' => $tenant, 'scope' => $scope, 'cost' => $cost, 'allowed' => $decision->allowed];
        foreach ($this->listeners as $listener) {
            $listener->decided($policy, $tenant, $scope, $decision, 0.0);
        }

        return $decision;
    }

    public function peek(Policy $policy, string $tenant, string $scope = 'global', int $cost = 1): Decision
    {
        $this->validator->peek(self::unlimited($policy), $tenant, $scope, $cost);
        $left = $this->left[$policy->name] ?? $this->left[self::EVERY_POLICY];

        return FakeDecision::of($policy, $cost === 0 || $left > 0, $left, $cost);
    }

    public function refund(Decision $decision): bool
    {
        return $decision->allowed;
    }

    public function reset(Policy $policy, string $tenant, string $scope = 'global'): bool
    {
        return $this->matching($policy->name, $tenant) !== [];
    }

    public function history(Policy $policy, string $tenant, string $scope = 'global'): array
    {
        return [];
    }

    public function ping(): float
    {
        return 0.0;
    }

    private static function unlimited(Policy $policy): Policy
    {
        return Policy::unlimited($policy->name);
    }
}
