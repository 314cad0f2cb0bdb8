<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Middleware;

use Closure;
use Illuminate\Http\Request;
use RedisRateLimit\Http\Headers;
use RedisRateLimit\Http\OptionsMethod;
use RedisRateLimit\Http\RequestId;
use RedisRateLimit\Http\RequestLimits;
use RedisRateLimit\Laravel\RequestServices;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policies;
use Symfony\Component\HttpFoundation\Response;

/**
 * The middleware `ratelimit`: ratelimit:api, ratelimit:export,5 (cost 5), ratelimit:api,export,5 (both). OPTIONS
 * is not counted, and a policy on group and route counts once, at the higher cost.
 */
final class RateLimitRequests
{
    public function __construct(
        private readonly Limiter $limiter,
        private readonly Policies $policies,
        private readonly RequestServices $services,
    ) {
    }

    /** @param Closure(Request): Response $next */
    public function handle(Request $request, Closure $next, string ...$policies): Response
    {
        if (OptionsMethod::isOf($request)) {
            return $next($request);
        }
        $limits = $this->limits($request);
        $tenant = $this->services->tenants->of($request);
        $id = RequestId::of($request->headers->get(RequestId::HEADER));
        foreach (self::costs($policies) as $name => $cost) {
            $decision = $limits->take($this->policies->get((string) $name), $tenant, cost: $cost, requestId: $id);
            if ($decision !== null && !$decision->allowed) {
                $request->attributes->set(RequestLimits::DECISION, $decision);

                return $this->withHeaders($this->services->refusals()->answer($request, $decision), $limits);
            }
        }
        $request->attributes->set(RequestLimits::DECISION, Headers::mostRestrictive(...$limits->decisions()));

        return $this->withHeaders($next($request), $limits);
    }

    private function limits(Request $request): RequestLimits
    {
        $limits = $request->attributes->get(RequestLimits::class);
        if (!$limits instanceof RequestLimits) {
            $limits = new RequestLimits($this->limiter);
            $request->attributes->set(RequestLimits::class, $limits);
        }

        return $limits;
    }

    private function withHeaders(Response $response, RequestLimits $limits): Response
    {
        $response->headers->add($this->services->headers->of(Headers::mostRestrictive(...$limits->decisions())));

        return $response;
    }

    /**
     * @param array<string> $arguments policy names, each with its cost behind it where that is not 1
     *
     * @return array<string, int> policy name to cost
     */
    private static function costs(array $arguments): array
    {
        $costs = [];
        $name = null;
        foreach ($arguments as $argument) {
            if ($name !== null && preg_match('/^-?\d+$/', $argument) === 1) {
                $costs[$name] = (int) $argument;
            } else {
                $costs[$name = $argument] = 1;
            }
        }

        return $costs !== [] ? $costs : throw new \InvalidArgumentException('The middleware "ratelimit" needs a policy: ratelimit:api.');
    }
}
