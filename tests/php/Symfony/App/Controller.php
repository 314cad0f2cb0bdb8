<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use RedisRateLimit\Decision;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Exception\NotFoundHttpException;
use Symfony\Component\HttpKernel\HttpKernelInterface;

/** Pages without limits of their own. */
final class Controller
{
    public function __construct(private HttpKernelInterface $kernel)
    {
    }

    public function hello(Request $request): Response
    {
        $decision = $request->attributes->get('_rate_limit');

        return new Response('<html><body>' . ($decision instanceof Decision ? "{$decision->remaining} left" : 'no limit') . '</body></html>');
    }

    public function missing(): Response
    {
        throw new NotFoundHttpException('No such thing.');
    }

    public function broken(): Response
    {
        throw new \RuntimeException('Broken.');
    }

    /** Limited by the application's own code. */
    public function guarded(): Response
    {
        Decision::fromArray(['allowed' => false, 'policy' => 'own', 'limit' => 10, 'retryAfter' => 1.5, 'resetAt' => 1_700_006_401.5, 'reason' => 'limited'])->ensureAllowed();

        return new Response('never seen');
    }

    /** Three more requests inside this one. */
    public function parent(): Response
    {
        for ($i = 0; $i < 3; $i++) {
            $this->kernel->handle(Request::create('/hello'), HttpKernelInterface::SUB_REQUEST);
        }

        return new Response('parent');
    }

    public function login(): Response
    {
        return new Response('login form');
    }
}
