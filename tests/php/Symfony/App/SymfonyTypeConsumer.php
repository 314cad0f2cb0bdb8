<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use Symfony\Component\DependencyInjection\Attribute\Target;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\RateLimiter\RateLimiterFactory;

/** As applications write it that have their limiters under framework.rate_limiter. */
final class SymfonyTypeConsumer
{
    public static function ofService(RateLimiterFactory $exportV2Limiter): self
    {
        return new self();
    }

    public static function ofTarget(#[Target('export_v2.limiter')] RateLimiterFactory $limiter): self
    {
        return new self();
    }

    public static function ofOther(RateLimiterFactory $otherLimiter): self
    {
        return new self();
    }

    public function action(RateLimiterFactory $exportV2Limiter): Response
    {
        return new Response('never seen');
    }
}
