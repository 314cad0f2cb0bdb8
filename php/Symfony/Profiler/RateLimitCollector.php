<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Profiler;

use RedisRateLimit\Decision;
use RedisRateLimit\DecisionListener;
use RedisRateLimit\Policy;
use RedisRateLimit\Tenant\Secret;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\DataCollector\DataCollector;

/**
 * Shows in the profiler every decision that was taken during a request.
 *
 * @phpstan-type Taken array{
 *     algorithm: string, tenant: string, scope: string, microseconds: float, allowed: bool, degraded: bool, ...
 * }
 */
final class RateLimitCollector extends DataCollector implements DecisionListener
{
    public const NAME = 'redis_rate_limit';

    /** @var list<Taken> */
    private array $decisions = [];

    public function decided(Policy $policy, string $tenant, string $scope, Decision $decision, float $microseconds): void
    {
        /** @var Taken $taken */
        $taken = [
            'algorithm' => $policy->algorithm,
            'tenant' => Secret::hash($tenant),
            'scope' => $scope,
            'microseconds' => $microseconds,
        ] + get_object_vars($decision);
        $this->decisions[] = $taken;
    }

    public function collect(Request $request, Response $response, ?\Throwable $exception = null): void
    {
        $this->data = ['decisions' => $this->decisions];
    }

    public function reset(): void
    {
        $this->data = [];
        $this->decisions = [];
    }

    public function getName(): string
    {
        return self::NAME;
    }

    /** @return list<Taken> */
    public function getDecisions(): array
    {
        /** @var list<Taken> $decisions */
        $decisions = $this->data['decisions'] ?? [];

        return $decisions;
    }

    public function getRefused(): int
    {
        return count(array_filter($this->getDecisions(), static fn (array $decision): bool => !$decision['allowed']));
    }

    public function getDegraded(): int
    {
        return count(array_filter(array_column($this->getDecisions(), 'degraded')));
    }

    public function getMicroseconds(): float
    {
        return array_sum(array_column($this->getDecisions(), 'microseconds'));
    }
}
