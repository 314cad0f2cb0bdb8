<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Facades;

use Illuminate\Support\Facades\Facade;
use RedisRateLimit\Laravel\Events\DecisionEvents;
use RedisRateLimit\Laravel\Middleware\ThrottlePolicy;
use RedisRateLimit\Laravel\RateLimits;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policies;
use RedisRateLimit\Testing\FakeLimiter;

/**
 * The limiter in a Laravel application: RateLimit::consume('api') counts for whom the current request counts.
 *
 * @method static \RedisRateLimit\Decision consume(\RedisRateLimit\Policy|string $policy, ?string $tenant = null, string $scope = 'global', int $cost = 1, ?string $requestId = null)
 * @method static \RedisRateLimit\Decision peek(\RedisRateLimit\Policy|string $policy, ?string $tenant = null, string $scope = 'global', int $cost = 1)
 * @method static bool refund(\RedisRateLimit\Decision $decision)
 * @method static bool reset(\RedisRateLimit\Policy|string $policy, ?string $tenant = null, string $scope = 'global')
 * @method static array history(\RedisRateLimit\Policy|string $policy, ?string $tenant = null, string $scope = 'global')
 * @method static float ping()
 * @method static \RedisRateLimit\Policy policy(string $policy)
 * @method static void resolveTenantUsing(\Closure $resolver)
 * @method static void refuseUsing(\Closure $answer)
 * @method static \RedisRateLimit\Testing\FakeLimiter allow(\RedisRateLimit\Policy|string|null $policy = null)
 * @method static \RedisRateLimit\Testing\FakeLimiter deny(\RedisRateLimit\Policy|string|null $policy = null)
 * @method static \RedisRateLimit\Testing\FakeLimiter denyAfter(int $calls, \RedisRateLimit\Policy|string|null $policy = null)
 * @method static void assertConsumed(\RedisRateLimit\Policy|string $policy, ?int $times = null, ?string $tenant = null)
 * @method static void assertNothingConsumed()
 *
 * @see RateLimits
 */
final class RateLimit extends Facade
{
    /** From here on this application decides without Redis: everything is allowed until the fake is told otherwise. */
    public static function fake(): FakeLimiter
    {
        $app = static::$app;
        $fake = (new FakeLimiter(new DecisionEvents()))->knowing(static function () use ($app): array {
            /** @var Policies $policies */
            $policies = $app->make(Policies::class);

            return [...$policies->names(), ThrottlePolicy::NAME];
        });
        $app->instance(Limiter::class, $fake);

        return $fake;
    }

    protected static function getFacadeAccessor()
    {
        return RateLimits::class;
    }
}
