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

/** Shows in the profiler every decision that was taken during a request. */
final class RateLimitCollector extends DataCollector implements DecisionListener
{
    public const NAME = 'redis_rate_limit';

    /** @var list<array<string, mixed>> */
    private array $decisions = [];

    public function decided(Policy $policy, string $tenant, string $scope, Decision $decision, float $microseconds): void
    {
        $this->decisions[] = [
            'algorithm' => $policy->algorithm,
            'tenant' => Secret::hash($tenant),
            'scope' => $scope,
            'microseconds' => $microseconds,
        ] + get_object_vars($decision);
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

    /** @return list<array<string, mixed>> */
    public function getDecisions(): array
    {
        return $this->data['decisions'] ?? [];
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
