<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use RedisRateLimit\Symfony\Attribute\RateLimited;
use Symfony\Component\HttpFoundation\Response;

#[RateLimited('api')]
final class LimitedController
{
    public static int $built = 0;

    public function __construct()
    {
        self::$built++;
    }

    #[RateLimited('export', cost: 5, scope: '{method} project-{project}', methods: ['GET', 'OPTIONS'])]
    public function export(?string $project): Response
    {
        return new Response($project);
    }

    #[RateLimited('export', scope: '{path}')]
    public function file(string $name): Response
    {
        return new Response($name);
    }

    public function plain(): Response
    {
        return new Response('plain');
    }

    #[RateLimited('api', cost: 7)]
    #[RateLimited('export', tenant: 'ip')]
    public function own(): Response
    {
        return new Response('own');
    }
}
