<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel;

use Closure;
use Illuminate\Container\Container;
use RedisRateLimit\Decision;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policies;
use RedisRateLimit\Policy;

/**
 * What the RateLimit facade stands for: the limiter with policies by name and the current request's tenant. Calls it
 * does not know go to the limiter, so that a FakeLimiter's allow(), deny() and assert…() are there too.
 *
 * @mixin \RedisRateLimit\Testing\FakeLimiter
 */
final class RateLimits
{
    public function __construct(
        private readonly Limiter $limiter,
        private readonly Policies $policies,
        private readonly RequestServices $services,
    ) {
    }

    /** @param ?string $tenant null: whom the current request counts for */
    public function consume(Policy|string $policy, ?string $tenant = null, string $scope = 'global', int $cost = 1, ?string $requestId = null): Decision
    {
        return $this->limiter->consume($this->policy($policy), $tenant ?? $this->tenant(), $scope, $cost, $requestId);
    }

    /** @param ?string $tenant null: whom the current request counts for */
    public function peek(Policy|string $policy, ?string $tenant = null, string $scope = 'global', int $cost = 1): Decision
    {
        return $this->limiter->peek($this->policy($policy), $tenant ?? $this->tenant(), $scope, $cost);
    }

    public function refund(Decision $decision): bool
    {
        return $this->limiter->refund($decision);
    }

    public function reset(Policy|string $policy, ?string $tenant = null, string $scope = 'global'): bool
    {
        return $this->limiter->reset($this->policy($policy), $tenant ?? $this->tenant(), $scope);
    }

    /** @return list<array{at: float, cost: int, request_id: ?string}> */
    public function history(Policy|string $policy, ?string $tenant = null, string $scope = 'global'): array
    {
        return $this->limiter->history($this->policy($policy), $tenant ?? $this->tenant(), $scope);
    }

    /** @throws \RedisRateLimit\UnknownPolicy */
    public function policy(Policy|string $policy): Policy
    {
        return $policy instanceof Policy ? $policy : $this->policies->get($policy);
    }

    /** @param Closure(\Illuminate\Http\Request): ?string $resolver null leaves it to the configured resolvers */
    public function resolveTenantUsing(Closure $resolver): void
    {
        $this->services->tenants->using($resolver);
    }

    /** @param Closure(\Illuminate\Http\Request, Decision): \Symfony\Component\HttpFoundation\Response $answer */
    public function refuseUsing(Closure $answer): void
    {
        $this->services->refusals()->using($answer);
    }

    /** @param array<mixed> $arguments */
    public function __call(string $method, array $arguments): mixed
    {
        if (!is_callable([$this->limiter, $method])) {
            throw new \BadMethodCallException("RateLimit::$method() does not exist; what tests say of a fake needs RateLimit::fake() first.");
        }

        return $this->limiter->$method(...$arguments);
    }

    private function tenant(): string
    {
        return $this->services->tenants->of(Container::getInstance()->make('request'));
    }
}
