<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use Symfony\Component\RateLimiter\RateLimiterFactory;

/** A service that is given its limiter by hand. */
final class SymfonyTypeHolder
{
    public function __construct(public readonly RateLimiterFactory $limiter)
    {
    }
}
