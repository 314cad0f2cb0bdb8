<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;
use RedisRateLimit\Laravel\Facades\RateLimit;
use RedisRateLimit\Laravel\RateLimitServiceProvider;
use RedisRateLimit\Laravel\RequestServices;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policies;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Testing\FakeLimiter;

/** The package as it is installed: discovered, published, cached. */
final class PackageTest extends ApplicationTestCase
{
    private const SOURCE = __DIR__ . '/../../../php/Laravel';

    public function testItIsDiscovered(): void
    {
        $this->assertNotNull($this->app->getProvider(RateLimitServiceProvider::class));
        $this->assertTrue(\RateLimit::consume('api', 'user:42')->allowed, 'the facade has its alias');
    }

    public function testTheConfigurationCanBePublished(): void
    {
        $published = $this->application->artisan('vendor:publish', '--tag=ratelimit-config');
        $this->assertSame(0, $published['exit'], $published['stdout'] . $published['stderr']);
        $this->assertFileEquals(
            dirname(__DIR__, 3) . '/php/Laravel/config/ratelimit.php',
            "{$this->application->path}/config/ratelimit.php",
        );
    }

    public function testCachedRoutesAndConfiguration(): void
    {
        foreach (['route:cache', 'config:cache'] as $command) {
            $cached = $this->application->artisan($command);
            $this->assertSame(0, $cached['exit'], $cached['stdout'] . $cached['stderr']);
        }
        self::restoreHandlers();
        $this->app = $this->application->boot();
        $this->assertTrue($this->app->routesAreCached() && $this->app->configurationIsCached());
        $this->getJson('/group-and-route')->assertOk()->assertHeader('X-RateLimit-Remaining', '2');
        $this->getJson('/several')->assertOk();
        $this->getJson('/misspelt')->assertStatus(500);
    }

    public function testItRunsAfterAuthenticationThoughAnotherPackageReordersMiddleware(): void
    {
        $providers = [...$this->app['config']['app.providers'], ReordersMiddleware::class];
        self::restoreHandlers();
        $this->app = (new Application(['app.providers' => $providers] + $this->config()))->boot();
        Route::get('/alone', static fn (): string => '')->middleware(['ratelimit:api', 'auth']);
        $this->getJson('/alone')->assertStatus(401);
        $this->assertSame([], self::$redis->keys(), 'who has not logged in is not counted');
    }

    public function testTheFacadeCountsForTheCurrentRequest(): void
    {
        $this->app->instance('request', Request::create('/', server: ['REMOTE_ADDR' => '192.0.2.9']));
        $decision = RateLimit::consume('api', cost: 2);
        $this->assertSame(1, RateLimit::peek('api', 'ip:192.0.2.9')->remaining);
        $this->assertTrue(RateLimit::refund($decision));
        $this->assertSame(3, RateLimit::peek('api')->remaining);
        $this->assertSame('api', RateLimit::policy('api')->name);
    }

    public function testTheFacadeListsAndForgetsTheCurrentRequest(): void
    {
        $this->app->instance('request', Request::create('/', server: ['REMOTE_ADDR' => '192.0.2.9']));
        RateLimit::consume('crowd', 'ip:192.0.2.9', cost: 2);
        $this->assertSame([2], array_column(RateLimit::history('crowd'), 'cost'));
        $this->assertTrue(RateLimit::reset('crowd'));
        $this->assertSame([], self::$redis->keys());
    }

    public function testTheExtensionsOwnRateLimiterIsTheConfiguredOne(): void
    {
        $this->app['config']->set('ratelimit.prefix', 'mine');
        $limiter = $this->app->make(RateLimiter::class);
        $this->assertTrue($limiter->consume(Policy::fixedWindow('uploads', 1, 60), 'user:42')->allowed);
        $this->assertSame(['mine:uploads:user:42:global'], self::$redis->keys());
        $this->assertSame($limiter, $this->app->make(RateLimiter::class));
    }

    public function testWhatIsBoundAnewIsUsedFromThenOn(): void
    {
        RateLimit::consume('api', 'user:42');
        $this->getJson('/group')->assertHeader('X-RateLimit-Limit', '3');
        $this->app->instance(Policies::class, new Policies(['api' => Policy::fixedWindow('api', 5, 60)]));
        $this->assertSame(5, RateLimit::policy('api')->limit);
        $this->getJson('/group')->assertHeader('X-RateLimit-Limit', '5');
        $this->app->instance(RequestServices::class, new RequestServices(['tenants' => ['header:X-Team'], 'headers' => 'none']));
        $this->getJson('/group', ['X-Team' => 'a'])->assertOk()->assertHeaderMissing('X-RateLimit-Limit');
        $this->app->instance(Limiter::class, (new FakeLimiter())->deny());
        $this->assertFalse(RateLimit::consume('api', 'user:42')->allowed);
        $this->getJson('/group')->assertStatus(429);
    }

    public function testWhoForgetsToFakeIsToldSo(): void
    {
        $this->expectException(\BadMethodCallException::class);
        $this->expectExceptionMessage('RateLimit::deny() does not exist; what tests say of a fake needs RateLimit::fake() first.');
        RateLimit::deny();
    }

    public function testPoliciesTakeTheFailureRuleOfTheConfiguration(): void
    {
        $this->app['config']->set('ratelimit.on_failure', 'closed');
        $this->assertSame('closed', RateLimit::policy('api')->toArray()['on_failure']);
    }

    /** Under Octane a static outlives its request. Laravel's own, which ours inherit, are not counted. */
    public function testNoClassHasStatics(): void
    {
        $files = new \RegexIterator(new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator(self::SOURCE)), '/\/[A-Z]\w+\.php$/');
        foreach ($files as $file) {
            $name = strtr(substr($file->getPathname(), strlen(self::SOURCE), -strlen('.php')), '/', '\\');
            $class = new \ReflectionClass('RedisRateLimit\\Laravel' . $name);
            foreach ($class->getProperties(\ReflectionProperty::IS_STATIC) as $property) {
                $this->assertNotSame($class->name, $property->class, $property->name);
            }
            $classes[] = $class->name;
        }
        $this->assertContains(RateLimitServiceProvider::class, $classes);
    }
}
