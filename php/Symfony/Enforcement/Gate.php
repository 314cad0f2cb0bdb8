<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Enforcement;

use RedisRateLimit\Http\Headers;
use RedisRateLimit\Http\OptionsMethod;
use RedisRateLimit\Http\RequestId;
use RedisRateLimit\Http\RequestLimits;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policies;
use RedisRateLimit\Symfony\Attribute\RateLimited;
use RedisRateLimit\Symfony\Tenant\Tenants;
use Symfony\Component\HttpFoundation\Request;

/** Charges a request to every policy that applies, once each. The first refusal ends it, and what was taken goes back. */
final class Gate
{
    public function __construct(
        private Limiter $limiter,
        private Policies $policies,
        private Tenants $tenants,
        private RouteLimits $routes,
        private ControllerLimits $controllers,
    ) {
    }

    /** @return ?RefusedCharge the refusal; null: the request may pass */
    public function refusal(Request $request): ?RefusedCharge
    {
        $limits = $this->limits($request);
        if ($limits === []) {
            return null;
        }
        $taken = new RequestLimits($this->limiter);
        $refusal = null;
        foreach ($limits as $limit) {
            $refusal = $this->charge($request, $limit, $taken);
            if ($refusal !== null) {
                break;
            }
        }
        $decision = Headers::mostRestrictive(...$taken->decisions());
        if ($decision !== null) {
            $request->attributes->set(RequestLimits::DECISION, $decision);
        }

        return $refusal;
    }

    /** @return array<string, RateLimited> by policy, so that none counts twice; the most specific one holds */
    private function limits(Request $request): array
    {
        $limits = [];
        $isOptions = OptionsMethod::isOf($request);
        foreach ([...$this->controllers->of($request->attributes->get('_controller')), ...$this->routes->of($request)] as $limit) {
            if ($limit->methods === [] ? !$isOptions : $limit->counts($request->getMethod())) {
                $limits[$limit->policy] ??= $limit;
            }
        }

        return $limits;
    }

    /** @return ?RefusedCharge where it was refused */
    private function charge(Request $request, RateLimited $limit, RequestLimits $taken): ?RefusedCharge
    {
        $policy = $this->policies->get($limit->policy);
        $tenant = $this->tenants->of($request, $limit->tenant);
        if ($tenant === null) {
            return null;
        }
        $scope = self::scope($request, $limit->scope);
        $decision = $taken->take($policy, $tenant, $scope, $limit->cost, RequestId::of($request->headers->get(RequestId::HEADER)));

        return $decision === null || $decision->allowed ? null : new RefusedCharge($decision, $tenant, $scope);
    }

    private static function scope(Request $request, string $template): string
    {
        if (!str_contains($template, '{')) {
            return $template;
        }

        return (string) preg_replace_callback(
            '/\{(\w+)\}/',
            /** @param array<string> $match */
            static fn (array $match): string => match ($match[1]) {
                'method' => $request->getMethod(),
                'route' => (string) $request->attributes->get('_route'),
                'path' => Path::of($request),
                default => self::attribute($request, $match[1]),
            },
            $template,
        );
    }

    private static function attribute(Request $request, string $name): string
    {
        $value = $request->attributes->get($name);
        $isLeftOut = $value === null && $request->attributes->has($name); // as an optional placeholder of a route
        if (!is_scalar($value) && !$isLeftOut) {
            throw new \InvalidArgumentException(sprintf('The scope of a rate limit names {%s}, but the request has no such attribute with a scalar value.', $name));
        }

        return (string) $value;
    }
}
