<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel;

use Closure;
use Illuminate\Http\Request;
use Illuminate\Http\Response as LaravelResponse;
use RedisRateLimit\Decision;
use RedisRateLimit\Http\Refusal;
use Symfony\Component\HttpFoundation\Response;

/** Answers a refused request: 429 or 503 as JSON or text, unless the application answers itself. */
final class Refusals
{
    private ?Closure $own = null;

    /** @param Closure(Request, Decision): Response $answer its response gets the rate limit headers too */
    public function using(Closure $answer): void
    {
        $this->own = $answer;
    }

    public function answer(Request $request, Decision $decision): Response
    {
        if ($this->own !== null) {
            return ($this->own)($request, $decision);
        }
        $refusal = Refusal::of($decision, (string) $request->header('Accept', ''));

        return new LaravelResponse($refusal->body, $refusal->status, $refusal->headers);
    }
}
