<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel;

use Illuminate\Cache\RateLimiter as LaravelRateLimiter;
use Illuminate\Container\Container as ConcreteContainer;
use Illuminate\Contracts\Container\Container;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Routing\Middleware\ThrottleRequests as LaravelThrottleRequests;
use Illuminate\Routing\Middleware\ThrottleRequestsWithRedis;
use Illuminate\Routing\Router;
use Illuminate\Support\ServiceProvider;
use Psr\Log\LoggerInterface;
use RedisRateLimit\InvalidConfiguration;
use RedisRateLimit\Laravel\Events\DecisionEvents;
use RedisRateLimit\Laravel\Middleware\RateLimitRequests;
use RedisRateLimit\Laravel\Middleware\ThrottleRequests;
use RedisRateLimit\Laravel\Middleware\Windows;
use RedisRateLimit\Limiter;
use RedisRateLimit\NativeLimiter;
use RedisRateLimit\Policies;
use RedisRateLimit\RateLimiter;

/**
 * Puts the limiter, its policies, the middleware `ratelimit` and the artisan commands into a Laravel application. By
 * factories that look little up: each look-up in the container takes one to two microseconds of every request.
 *
 * @phpstan-type Config array{
 *     url: ?string, connection: ?string, prefix: ?string, timeout: int|float|string|null, on_failure: string|bool|null,
 *     headers: string|bool|null, tenants: list<string>|string, policies: array<string, mixed>, ...
 * }
 */
final class RateLimitServiceProvider extends ServiceProvider
{
    private const CONFIG = __DIR__ . '/config/ratelimit.php';

    public function register(): void
    {
        $this->mergeConfigFrom(self::CONFIG, 'ratelimit');
        /** @var ConcreteContainer $container */
        $container = $this->app;
        Rebinding::follow($container);
        $this->app->singleton(RateLimiter::class, static fn (Container $app): RateLimiter => Connection::of($app->make('config')));
        // Not by way of RateLimiter, one look-up less in every request: who replaces that binding does not reach this one.
        $this->app->singleton(Limiter::class, static fn (Container $app): Limiter => new NativeLimiter(
            Connection::of($app->make('config')),
            static fn (): LoggerInterface => $app->make('log'),
            new DecisionEvents(),
        ));
        $this->app->singleton(Policies::class, static function (Container $app): Policies {
            /** @var Config $config */
            $config = $app->make('config')->get('ratelimit');

            return new Policies((array) $config['policies'], self::onFailure($config));
        });
        $this->app->singleton(RequestServices::class, static fn (Container $app): RequestServices
            => new RequestServices($app->make('config')->get('ratelimit')));
        $this->app->singleton(RateLimits::class);
        // Laravel makes a middleware twice for each request, the second time to ask whether it terminates.
        $this->app->singleton(RateLimitRequests::class, static fn (Container $app): RateLimitRequests => new RateLimitRequests(
            $app->make(Limiter::class),
            $app->make(Policies::class),
            $app->make(RequestServices::class),
        ));
        $this->app->singleton(ThrottleRequests::class, self::throttleRequests(...));
    }

    private static function throttleRequests(Container $app): ThrottleRequests
    {
        /** @var Config $config */
        $config = $app->make('config')->get('ratelimit');

        return new ThrottleRequests($app->make(LaravelRateLimiter::class), new Windows($app->make(Limiter::class), self::onFailure($config)));
    }

    /**
     * @param Config $config
     *
     * @return 'open'|'closed'|null null: the ini setting
     *
     * @throws InvalidConfiguration for another failure rule
     */
    private static function onFailure(array $config): ?string
    {
        return match ($config['on_failure']) {
            null, '' => null,
            'open', 'closed' => $config['on_failure'],
            default => throw new InvalidConfiguration(sprintf(
                'The on_failure in config/ratelimit.php (RATELIMIT_ON_FAILURE) can be "open" or "closed", not %s.',
                json_encode($config['on_failure'], \JSON_PARTIAL_OUTPUT_ON_ERROR),
            )),
        };
    }

    public function boot(): void
    {
        $this->app->make('router')->aliasMiddleware('ratelimit', RateLimitRequests::class);
        // The kernel hands its own order to the router when it is made, and when another provider changes that order.
        $this->app->booted(fn () => $this->callAfterResolving(Kernel::class, fn () => $this->runBesideThrottle()));
        if ($this->app->make('config')->get('ratelimit.replace_throttle')) {
            // By binding, not by alias: this also meets ThrottleRequests::class and survives the kernel setting its aliases.
            $this->app->singleton(LaravelThrottleRequests::class, self::throttleRequests(...));
            $this->app->singleton(ThrottleRequestsWithRedis::class, self::throttleRequests(...));
        }
        $this->callAfterResolving(ExceptionHandler::class, static fn (ExceptionHandler $handler) => ThrownRefusals::answer($handler));
        if ($this->app->runningInConsole()) {
            $this->publishes([self::CONFIG => $this->app->configPath('ratelimit.php')], 'ratelimit-config');
            $this->commands([
                Console\ListCommand::class,
                Console\PeekCommand::class,
                Console\ResetCommand::class,
                Console\HistoryCommand::class,
                Console\PingCommand::class,
            ]);
        }
    }

    /** After authentication, so that the user is known, and before route models are looked up. */
    private function runBesideThrottle(): void
    {
        /** @var Router $router */
        $router = $this->app->make('router');
        $position = array_search(LaravelThrottleRequests::class, $router->middlewarePriority, true);
        if (is_int($position) && !in_array(RateLimitRequests::class, $router->middlewarePriority, true)) {
            array_splice($router->middlewarePriority, $position + 1, 0, RateLimitRequests::class);
        }
    }
}
