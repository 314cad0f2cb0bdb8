<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Limiter;

use Symfony\Component\RateLimiter\LimiterInterface;
use Symfony\Component\RateLimiter\RateLimiterFactoryInterface;

// Symfony's own interface of factories exists from 7.3: where it does, ours is one of its kind.
if (!interface_exists(RateLimiterFactoryInterface::class)) {
    /** Makes the limiter of one key of a policy: type-hint it as `LimiterFactory $exportLimiter`. */
    interface LimiterFactory
    {
        public function create(?string $key = null): LimiterInterface;
    }
} else {
    /** Makes the limiter of one key of a policy: type-hint it as `LimiterFactory $exportLimiter`. */
    interface LimiterFactory extends RateLimiterFactoryInterface
    {
    }
}
