<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Queue;

use Illuminate\Container\Container;
use RedisRateLimit\Decision;
use RedisRateLimit\Laravel\RateLimits;

/** Job middleware: runs the job when the policy lets it pass, else puts it back until it would. */
final class RateLimited
{
    /** Seconds to wait while a fail-closed policy cannot ask Redis. */
    private const DEGRADED_RETRY = 10;

    private bool $release = true;
    private ?int $releaseAfter = null;

    /**
     * @param string $policy a name of config/ratelimit.php
     * @param string $tenant whom the job counts for, such as the customer it works for
     */
    public function __construct(
        private readonly string $policy,
        private readonly string $tenant = 'queue',
        private readonly int $cost = 1,
    ) {
    }

    /** Seconds until a refused job comes back, instead of the policy's own retryAfter. */
    public function releaseAfter(int $seconds): self
    {
        $this->releaseAfter = $seconds;

        return $this;
    }

    /** A refused job is dropped. */
    public function dontRelease(): self
    {
        $this->release = false;

        return $this;
    }

    public function handle(object $job, callable $next): mixed
    {
        $decision = Container::getInstance()->make(RateLimits::class)->consume($this->policy, $this->tenant, cost: $this->cost);
        if ($decision->allowed) {
            usleep(max(0, (int) round($decision->delay * 1e6)));

            return $next($job);
        }
        if ($decision->reason === 'cost_exceeds_limit') {
            $decision->ensureAllowed(); // no waiting helps: the job fails with what was wrong
        }
        if (!$this->release) {
            return false;
        }

        return $job->release($this->releaseAfter ?? self::retryAfter($decision));
    }

    private static function retryAfter(Decision $decision): int
    {
        return $decision->degraded ? self::DEGRADED_RETRY : max(1, (int) ceil((float) $decision->retryAfter));
    }
}
