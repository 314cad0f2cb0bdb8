<?php

declare(strict_types=1);

namespace RedisRateLimit;

use Psr\Log\LoggerInterface;

/**
 * The extension's RateLimiter as frameworks need it: listeners hear of each decision, and the one warning of an outage
 * is a log record, where an error handler that turns warnings into exceptions would have failed the request.
 */
final class NativeLimiter implements Limiter
{
    /** @var list<DecisionListener> */
    private array $listeners;

    /**
     * @param LoggerInterface|(\Closure(): LoggerInterface)|null $logger gets an outage's warning; a closure makes it only
     *                                                                   then; null: PHP's own error log
     */
    public function __construct(
        private RateLimiter $limiter,
        private LoggerInterface|\Closure|null $logger = null,
        DecisionListener ...$listeners,
    ) {
        $this->listeners = array_values($listeners);
    }

    public function consume(Policy $policy, string $tenant, string $scope = 'global', int $cost = 1, ?string $requestId = null): Decision
    {
        $start = hrtime(true);
        // guarded(), written out: every request comes this way, and a closure less can be felt.
        $this->catchWarning();
        try {
            $decision = $this->limiter->consume($policy, $tenant, $scope, $cost, $requestId);
        } finally {
            restore_error_handler();
        }
        $microseconds = (hrtime(true) - $start) / 1_000;
        foreach ($this->listeners as $listener) {
            $listener->decided($policy, $tenant, $scope, $decision, $microseconds);
        }

        return $decision;
    }

    public function peek(Policy $policy, string $tenant, string $scope = 'global', int $cost = 1): Decision
    {
        return $this->guarded(fn (): Decision => $this->limiter->peek($policy, $tenant, $scope, $cost));
    }

    public function refund(Decision $decision): bool
    {
        return $this->guarded(fn (): bool => $this->limiter->refund($decision));
    }

    public function reset(Policy $policy, string $tenant, string $scope = 'global'): bool
    {
        return $this->guarded(fn (): bool => $this->limiter->reset($policy, $tenant, $scope));
    }

    public function history(Policy $policy, string $tenant, string $scope = 'global'): array
    {
        return $this->guarded(fn (): array => $this->limiter->history($policy, $tenant, $scope));
    }

    public function ping(): float
    {
        return $this->guarded(fn (): float => $this->limiter->ping());
    }

    /**
     * @template T
     *
     * @param \Closure(): T $call
     *
     * @return T
     */
    private function guarded(\Closure $call): mixed
    {
        $this->catchWarning();
        try {
            return $call();
        } finally {
            restore_error_handler();
        }
    }

    /** Until restore_error_handler(). Other warnings go where they went before. */
    private function catchWarning(): void
    {
        /** @var ?callable $previous */
        $previous = null;
        $handler = function (int $level, string $message, string $file = '', int $line = 0) use (&$previous): bool {
            if (!str_contains($message, 'ratelimit:')) {
                return $previous !== null && $previous($level, $message, $file, $line) !== false;
            }
            /** @var ?LoggerInterface $logger */
            $logger = $this->logger instanceof \Closure ? ($this->logger)() : $this->logger;
            $logger?->warning($message);

            return $logger !== null; // false: PHP reports it as it does without any handler
        };
        $previous = set_error_handler($handler, \E_WARNING);
    }
}
