<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Limiter;

use RedisRateLimit\Limiter;
use RedisRateLimit\Policy;
use Symfony\Component\RateLimiter\LimiterInterface;

/** A policy in the place of a Symfony RateLimiterFactory. */
final class RedisLimiterFactory implements LimiterFactory
{
    private const ONE_FOR_ALL = 'global';

    public function __construct(private Limiter $limiter, private Policy $policy)
    {
    }

    /** @param ?string $key the tenant; null: one budget for all. An empty key is refused when it is used. */
    public function create(?string $key = null): LimiterInterface
    {
        return new RedisLimiter($this->limiter, $this->policy, $key ?? self::ONE_FOR_ALL);
    }
}
