<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel;

use Closure;
use Illuminate\Http\Request;
use Illuminate\Http\Response as LaravelResponse;
use RedisRateLimit\Decision;
use RedisRateLimit\Http\Headers;
use RedisRateLimit\Http\Refusal;
use RedisRateLimit\Http\RequestLimits;
use Symfony\Component\HttpFoundation\Response;

/**
 * Answers a request that its limits refuse, or Decision::ensureAllowed() in its controller: 429 or 503 as JSON or text,
 * unless the application answers itself.
 */
final class Refusals
{
    /** @var (Closure(Request, Decision): Response)|null */
    private ?Closure $own = null;

    public function __construct(private readonly Headers $headers)
    {
    }

    /** @param Closure(Request, Decision): Response $answer its response gets the rate limit headers too */
    public function using(Closure $answer): void
    {
        $this->own = $answer;
    }

    /** With headers, since no middleware need have been asked; one that was shows this decision from now on. */
    public function render(Decision $decision, Request $request): Response
    {
        /** @var ?RequestLimits $limits */
        $limits = $request->attributes->get(RequestLimits::class);
        $limits?->add($decision);
        $response = $this->answer($request, $decision);
        $response->headers->add($this->headers->of($decision));

        return $response;
    }

    public function answer(Request $request, Decision $decision): Response
    {
        if ($this->own !== null) {
            return ($this->own)($request, $decision);
        }
        $refusal = Refusal::of($decision, (string) $request->headers->get('Accept'));

        return new LaravelResponse($refusal->body, $refusal->status, $refusal->headers);
    }
}
