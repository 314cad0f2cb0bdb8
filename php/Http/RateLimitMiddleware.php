<?php

declare(strict_types=1);

namespace RedisRateLimit\Http;

use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;
use RedisRateLimit\Decision;
use RedisRateLimit\Limiter;
use RedisRateLimit\NativeLimiter;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;

/**
 * One policy in front of a PSR-15 handler. Several of them may stand behind each other: they share what the request
 * has taken, so a policy counts once. OPTIONS is not counted.
 */
final class RateLimitMiddleware implements MiddlewareInterface
{
    private readonly Limiter $limiter;
    private readonly Headers $headers;
    private readonly RequestTenant $tenant;

    /**
     * @param ?callable(ServerRequestInterface): string                $tenant  null: bearer token (hashed), else REMOTE_ADDR
     * @param Headers|string                                           $headers or one of Headers::MODES
     * @param ?\Closure(ServerRequestInterface, Decision): ResponseInterface $answer to a refused request instead of ours
     *
     * @throws \InvalidArgumentException for headers of no known mode
     */
    public function __construct(
        Limiter|RateLimiter $limiter,
        private readonly Policy $policy,
        private readonly ResponseFactoryInterface $responses,
        ?callable $tenant = null,
        private readonly int $cost = 1,
        Headers|string $headers = 'legacy',
        private readonly ?\Closure $answer = null,
    ) {
        $this->limiter = $limiter instanceof Limiter ? $limiter : new NativeLimiter($limiter);
        $this->headers = $headers instanceof Headers ? $headers : new Headers($headers);
        $this->tenant = new RequestTenant($tenant);
    }

    /** @throws \InvalidArgumentException where the tenant closure names nobody */
    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        if (OptionsMethod::is($request->getMethod())) {
            return $handler->handle($request);
        }
        $limits = $request->getAttribute(RequestLimits::class);
        $limits = $limits instanceof RequestLimits ? $limits : new RequestLimits($this->limiter);
        $id = RequestId::of($request->getHeaderLine(RequestId::HEADER));
        $decision = $limits->take($this->policy, $this->tenant->of($request, $this->policy->name), cost: $this->cost, requestId: $id);
        if ($decision !== null && !$decision->allowed) {
            return $this->withHeaders($this->refusal($request, $decision), $limits);
        }
        $request = $request
            ->withAttribute(RequestLimits::class, $limits)
            ->withAttribute(RequestLimits::DECISION, Headers::mostRestrictive(...$limits->decisions()));

        try {
            $response = $handler->handle($request);
        } catch (\Throwable $thrown) {
            $refused = ThrownRefusal::of($thrown) ?? throw $thrown;
            $limits->add($refused);
            $response = $this->refusal($request, $refused);
        }

        return $this->withHeaders($response, $limits);
    }

    private function refusal(ServerRequestInterface $request, Decision $decision): ResponseInterface
    {
        if ($this->answer !== null) {
            return ($this->answer)($request, $decision);
        }
        $refusal = Refusal::of($decision, $request->getHeaderLine('Accept'));
        $response = $this->responses->createResponse($refusal->status);
        $response->getBody()->write($refusal->body);

        return self::with($response, $refusal->headers);
    }

    private function withHeaders(ResponseInterface $response, RequestLimits $limits): ResponseInterface
    {
        return self::with($response, $this->headers->of(Headers::mostRestrictive(...$limits->decisions())));
    }

    /** @param array<string, string> $headers */
    private static function with(ResponseInterface $response, array $headers): ResponseInterface
    {
        foreach ($headers as $name => $value) {
            $response = $response->withHeader($name, $value);
        }

        return $response;
    }
}
