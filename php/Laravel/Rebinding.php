<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel;

use Illuminate\Cache\RateLimiter as LaravelRateLimiter;
use Illuminate\Container\Container;
use Illuminate\Routing\Middleware\ThrottleRequests as LaravelThrottleRequests;
use Illuminate\Routing\Middleware\ThrottleRequestsWithRedis;
use RedisRateLimit\Laravel\Facades\RateLimit;
use RedisRateLimit\Laravel\Middleware\RateLimitRequests;
use RedisRateLimit\Laravel\Middleware\ThrottleRequests;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policies;

/** Has the objects that serve all requests made anew where an application or its test binds anew what they hold. */
final class Rebinding
{
    private const HELD = [Limiter::class, Policies::class, RequestServices::class, LaravelRateLimiter::class];

    private const HOLDERS = [
        RateLimits::class,
        RateLimitRequests::class,
        ThrottleRequests::class,
        LaravelThrottleRequests::class,
        ThrottleRequestsWithRedis::class,
    ];

    /** To be called before any of them is bound: a container makes at once what is bound already. */
    public static function follow(Container $container): void
    {
        foreach (self::HELD as $held) {
            $container->rebinding($held, self::forget(...));
        }
    }

    /** But not what a test has put in their place, by withoutMiddleware() or the facade's swap(). */
    private static function forget(Container $container): void
    {
        foreach (self::HOLDERS as $holder) {
            $made = $container->resolved($holder) ? $container->make($holder) : null;
            if ($made instanceof RateLimits || $made instanceof RateLimitRequests || $made instanceof ThrottleRequests) {
                $container->forgetInstance($holder);
                RateLimit::clearResolvedInstance($holder);
            }
        }
    }
}
