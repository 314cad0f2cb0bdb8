<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\EventListener;

use Psr\Log\LoggerInterface;
use RedisRateLimit\Decision;
use RedisRateLimit\DecisionListener;
use RedisRateLimit\Policy;
use RedisRateLimit\Symfony\Event\RateLimitDegraded;
use RedisRateLimit\Tenant\Secret;
use Symfony\Contracts\EventDispatcher\EventDispatcherInterface;

/** Logs refusals and announces decisions that were taken without Redis, whoever asked for them. */
final class DecisionReporter implements DecisionListener
{
    public function __construct(private EventDispatcherInterface $dispatcher, private ?LoggerInterface $logger = null)
    {
    }

    public function decided(Policy $policy, string $tenant, string $scope, Decision $decision, float $microseconds): void
    {
        if ($decision->degraded) {
            $this->dispatcher->dispatch(new RateLimitDegraded($decision, $tenant, $scope));
        } elseif (!$decision->allowed) {
            $this->logger?->info('Rate limit "{policy}" exceeded.', [
                'policy' => $decision->policy,
                'window' => $decision->window,
                'tenant' => Secret::hash($tenant),
                'scope' => $scope,
                'cost' => $decision->cost,
                'retry_after' => $decision->retryAfter,
            ]);
        }
    }
}
