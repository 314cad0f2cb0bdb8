<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use RedisRateLimit\Limiter;
use RedisRateLimit\Policy;
use RedisRateLimit\Symfony\Limiter\LimiterFactory;
use Symfony\Component\DependencyInjection\Attribute\Target;

/** A service as an application writes it. */
final class Consumer
{
    public function __construct(
        public readonly LimiterFactory $exportLimiter,
        public readonly Policy $exportPolicy,
        #[Target('api.limiter')] public readonly LimiterFactory $targeted,
        public readonly Limiter $limiter,
    ) {
    }
}
