<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Console;

use Illuminate\Contracts\Config\Repository;
use Illuminate\Contracts\Container\Container;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Routing\Middleware\ThrottleRequests as LaravelThrottleRequests;
use Illuminate\Routing\Middleware\ThrottleRequestsWithRedis;
use Illuminate\Routing\Router;
use RedisRateLimit\Laravel\Middleware\ThrottleRequests;

/** Says who settles `throttle:`, for an alias that is a class of the application's own stays what it is. */
final class ThrottleAlias
{
    private const SETTLED = '"throttle:" is settled by the extension.';
    private const LEFT = '"throttle:" is settled by %s, for replace_throttle in config/ratelimit.php (RATELIMIT_REPLACE_THROTTLE) is off.';
    private const OWN = '"throttle:" is settled by %s, which replace_throttle does not replace: it replaces %s.';

    /** @return ?string null: there is no such alias */
    public static function describe(Container $app): ?string
    {
        $app->make(Kernel::class); // gives the router its aliases, and no console command has made it
        /** @var Router $router */
        $router = $app->make('router');
        /** @var Repository $config */
        $config = $app->make('config');
        $alias = $router->getMiddleware()['throttle'] ?? null;
        $class = is_string($alias) ? ltrim($alias, '\\') : get_debug_type($alias);

        return match (true) {
            $alias === null => null,
            $class === ThrottleRequests::class => self::SETTLED,
            $class !== LaravelThrottleRequests::class && $class !== ThrottleRequestsWithRedis::class
                => sprintf(self::OWN, $class, LaravelThrottleRequests::class),
            default => $config->get('ratelimit.replace_throttle') ? self::SETTLED : sprintf(self::LEFT, $class),
        };
    }
}
