<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use RedisRateLimit\Symfony\Attribute\RateLimited;
use Symfony\Component\HttpFoundation\Response;

final class InvokableController
{
    #[RateLimited('api', cost: 2)]
    public function __invoke(): Response
    {
        return new Response('invoked');
    }
}
