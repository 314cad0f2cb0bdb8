<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Http;

use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;

/** Middleware in front of a handler, as a PSR-15 framework would run them. */
final class Stack implements RequestHandlerInterface
{
    /** @var list<MiddlewareInterface> */
    private array $middleware;

    /** @param \Closure(ServerRequestInterface): ResponseInterface $handler */
    public function __construct(private \Closure $handler, MiddlewareInterface ...$middleware)
    {
        $this->middleware = $middleware;
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        if ($this->middleware === []) {
            return ($this->handler)($request);
        }

        return $this->middleware[0]->process($request, new self($this->handler, ...array_slice($this->middleware, 1)));
    }
}
