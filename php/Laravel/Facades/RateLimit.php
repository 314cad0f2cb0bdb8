<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Facades;

use Illuminate\Support\Facades\Facade;
use RedisRateLimit\Laravel\Events\DecisionEvents;
use RedisRateLimit\Laravel\RateLimits;
use RedisRateLimit\Limiter;
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
 * @method static \RedisRateLimit\Testing\FakeLimiter allow(?string $policy = null)
 * @method static \RedisRateLimit\Testing\FakeLimiter deny(?string $policy = null)
 * @method static \RedisRateLimit\Testing\FakeLimiter denyAfter(int $calls, ?string $policy = null)
 * @method static void assertConsumed(string $policy, ?int $times = null, ?string $tenant = null)
 * @method static void assertNothingConsumed()
 *
 * @see RateLimits
 */
final class RateLimit extends Facade
{
    /** From here on this application decides without Redis: everything is allowed until the fake is told otherwise. */
    public static function fake(): FakeLimiter
    {
        $fake = new FakeLimiter(new DecisionEvents());
        static::$app->instance(Limiter::class, $fake);

        return $fake;
    }

    protected static function getFacadeAccessor()
    {
        return RateLimits::class;
    }
}
