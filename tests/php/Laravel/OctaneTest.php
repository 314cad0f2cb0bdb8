<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Container\Container;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Events\Dispatcher;
use Illuminate\Foundation\Application as LaravelApplication;
use Illuminate\Http\Request;
use Illuminate\Routing\Middleware\ThrottleRequests;
use Illuminate\Support\Facades\Facade;
use PHPUnit\Framework\Attributes\TestWith;
use RedisRateLimit\Laravel\Events\RateLimitExceeded;
use RedisRateLimit\Laravel\Middleware\RateLimitRequests;
use Symfony\Component\HttpFoundation\Response;

/** Octane clones one application for each request: what was made before serves them all. */
final class OctaneTest extends ApplicationTestCase
{
    /** @var list<?string> the users whose refusals the dispatchers of their requests heard of */
    private array $refused = [];

    protected function config(): array
    {
        return ['ratelimit.replace_throttle' => true] + parent::config();
    }

    protected function tearDown(): void
    {
        self::enter($this->app);
        parent::tearDown();
    }

    /**
     * @testWith ["/crowd", 999]
     *           ["/named/api", 2]
     */
    #[TestWith(['/crowd', 999])]
    #[TestWith(['/named/api', 2])]
    public function testEachRequestCountsForItsOwnUser(string $path, int $remaining): void
    {
        $this->app->make(RateLimitRequests::class);
        $this->app->make(ThrottleRequests::class);
        foreach ([['1', 0], ['2', 0], [null, 0], ['1', 1]] as [$user, $before]) {
            $response = $this->serve($path, $user);
            $this->assertSame((string) ($remaining - $before), $response->headers->get('X-RateLimit-Remaining'));
        }
    }

    public function testARefusalIsAnEventOfItsOwnRequest(): void
    {
        $this->app->make(RateLimitRequests::class);
        foreach (['1' => 200, '2' => 200] as $user => $status) {
            $this->assertSame($status, $this->serve('/export', (string) $user)->getStatusCode());
        }
        $this->assertSame(429, $this->serve('/export', '2')->getStatusCode());
        $this->assertSame(['2'], $this->refused);
    }

    private function serve(string $path, ?string $user): Response
    {
        $sandbox = clone $this->app;
        self::enter($sandbox);
        $sandbox->instance('events', $events = new Dispatcher($sandbox));
        $events->listen(RateLimitExceeded::class, function () use ($user): void {
            $this->refused[] = $user;
        });
        $sandbox->make('router')->setContainer($sandbox);
        $sandbox->make('auth')->setApplication($sandbox)->forgetGuards();
        $kernel = $sandbox->make(Kernel::class);
        $kernel->setApplication($sandbox);

        return $kernel->handle(Request::create($path, server: $user === null ? [] : ['HTTP_X_USER' => $user]));
    }

    private static function enter(LaravelApplication $app): void
    {
        $app->instance('app', $app);
        $app->instance(Container::class, $app);
        Container::setInstance($app);
        Facade::clearResolvedInstances();
        Facade::setFacadeApplication($app);
    }
}
