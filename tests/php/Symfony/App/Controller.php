<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use RedisRateLimit\Decision;
use RedisRateLimit\RateLimitExceeded;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Exception\NotFoundHttpException;
use Symfony\Component\HttpKernel\Exception\ServiceUnavailableHttpException;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Twig\Environment;

/** Pages without limits of their own. */
final class Controller
{
    public function __construct(private HttpKernelInterface $kernel, private ?Environment $twig = null)
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
        $this->refusal()->ensureAllowed();

        return new Response('never seen');
    }

    /** The same in a template, where Twig wraps it. */
    public function template(): Response
    {
        return new Response($this->twig->createTemplate('{{ refusal.ensureAllowed() }}')->render(['refusal' => $this->refusal()]));
    }

    /** The same in a request inside of this one, which a template makes. */
    public function fragment(): Response
    {
        return new Response($this->twig->createTemplate('{{ render(controller(guarded)) }}')->render(['guarded' => self::class . '::guarded']));
    }

    /** A fragment that the page does without, as every page does where debug mode is off. */
    public function optional(): Response
    {
        return new Response($this->twig->createTemplate('page {{ render(controller(guarded), { ignore_errors: true }) }}')->render(['guarded' => self::class . '::guarded']));
    }

    /** The same as the application's own error. */
    public function unavailable(): Response
    {
        try {
            return $this->guarded();
        } catch (RateLimitExceeded $exception) {
            throw new ServiceUnavailableHttpException(7, 'Later.', $exception);
        }
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

    private function refusal(): Decision
    {
        return Decision::fromArray(['allowed' => false, 'policy' => 'own', 'limit' => 10, 'retryAfter' => 1.5, 'resetAt' => 1_700_006_401.5, 'reason' => 'limited']);
    }
}
