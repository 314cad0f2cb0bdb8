<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use RedisRateLimit\Symfony\Attribute\RateLimited;
use Symfony\Component\HttpFoundation\Response;

/** Routed by its service id, not by its class. */
final class ServiceController
{
    #[RateLimited('api', cost: 3)]
    public function page(): Response
    {
        return new Response('service');
    }
}
