<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use RedisRateLimit\Policy;
use RedisRateLimit\Symfony\Limiter\LimiterFactory;
use Symfony\Component\DependencyInjection\Attribute\Target;

/** Factories whose arguments two policies fit, "api_v2" and "api-v2". */
final class AmbiguousConsumer
{
    public static function ofPolicy(Policy $apiV2Policy): self
    {
        return new self();
    }

    public static function ofLimiter(LimiterFactory $apiV2Limiter): self
    {
        return new self();
    }

    public static function ofTarget(#[Target('api-v2.limiter')] LimiterFactory $limiter): self
    {
        return new self();
    }
}
