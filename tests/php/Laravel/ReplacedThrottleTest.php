<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Cache\RateLimiter as LaravelRateLimiter;
use Illuminate\Cache\RateLimiting\Limit;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Http\Exceptions\ThrottleRequestsException;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Illuminate\Routing\Middleware\ThrottleRequests;
use Illuminate\Routing\Middleware\ThrottleRequestsWithRedis;
use Illuminate\Support\Facades\Event;
use Illuminate\Support\Facades\RateLimiter;
use Illuminate\Support\Facades\Route;
use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\InvalidConfiguration;
use RedisRateLimit\Laravel\Events\RateLimitExceeded;
use Symfony\Component\HttpFoundation\Response as SymfonyResponse;

/** The same application with one line more: every limit is settled by the extension. */
final class ReplacedThrottleTest extends ThrottleContract
{
    protected function config(): array
    {
        return ['ratelimit.replace_throttle' => true] + parent::config();
    }

    protected function leftOfTheFirstLimit(): int
    {
        return 1;
    }

    public function testWaitingAsLongAsToldIsEnough(): void
    {
        $this->getJson('/named/daily')->assertOk();
        $this->pass(86400 - 0.000001);
        $this->getJson('/named/daily')->assertStatus(429)->assertHeader('Retry-After', '1');
        $this->pass(0.000001);
        $this->getJson('/named/daily')->assertOk();
    }

    public function testTheStateIsInRedis(): void
    {
        $this->getJson('/named/two')->assertOk();
        $keys = self::$redis->keys();
        $this->assertCount(2, $keys);
        foreach ($keys as $key) {
            $this->assertStringStartsWith('rl:{throttle:two:global}:', $key);
        }
    }

    public function testThatWithRedisIsReplacedToo(): void
    {
        Route::get('/with-redis', static fn (): string => '')->middleware(ThrottleRequestsWithRedis::class . ':1,1');
        $this->getJson('/with-redis')->assertOk()->assertHeader('X-RateLimit-Remaining', '0');
        $this->getJson('/with-redis')->assertStatus(429)->assertHeader('Retry-After', '60');
        $this->assertStringStartsWith('rl:{throttle:', implode(self::$redis->keys()));
    }

    public function testALimiterThatDoesNotLimitIsNotTakenForTheNextOne(): void
    {
        Route::get('/twice', static fn (): string => '')->middleware(['throttle:vip', 'throttle:1,1']);
        $this->getJson('/twice', ['X-User' => '42'])->assertOk();
        $this->assertCount(1, self::$redis->keys());
        $this->assertStringNotContainsString('vip', implode(self::$redis->keys()));
    }

    /**
     * @dataProvider noLimits
     *
     * @param array<mixed>|\stdClass $answer
     */
    #[DataProvider('noLimits')]
    public function testALimiterThatFailsIsNotTakenForTheNextOne(array|\stdClass $answer): void
    {
        RateLimiter::for('two', static fn () => $answer);
        $this->getJson('/named/two')->assertStatus(500);
        $this->getJson('/by-class')->assertOk();
        $this->getJson('/by-class')->assertStatus(429);
        $this->assertStringNotContainsString('two', implode(self::$redis->keys()));
    }

    /** @return list<array{array<mixed>|\stdClass}> */
    public static function noLimits(): array
    {
        return [[['nonsense']], [new \stdClass()]];
    }

    public function testARequestSentForTheResponseHasHeadersOfItsOwn(): void
    {
        RateLimiter::for('two', fn () => Limit::perDay(1)->by('outer')->response(fn () => response((string) $this->sub('/numbers')->getStatusCode(), 429)));
        for ($i = 0; $i < 3; $i++) {
            $this->getJson('/numbers')->assertOk();
        }
        $this->getJson('/named/two')->assertOk();
        $answer = $this->getJson('/named/two')->assertStatus(429)
            ->assertHeader('Retry-After', '86400')
            ->assertHeader('X-RateLimit-Limit', '1')
            ->assertHeader('X-RateLimit-Reset', (string) (self::T0 + 86400));
        $this->assertSame('429', $answer->getContent());
    }

    public function testAnotherRateLimiterOfLaravelsIsAskedForItsLimiters(): void
    {
        $this->getJson('/named/everybody')->assertHeader('X-RateLimit-Limit', '2');
        $another = new LaravelRateLimiter($this->app->make('cache.store'));
        $another->for('everybody', static fn () => Limit::perHour(7));
        $this->app->instance(LaravelRateLimiter::class, $another);
        $this->getJson('/named/everybody')->assertHeader('X-RateLimit-Limit', '7');
    }

    public function testACustomResponseThatForgetsTheHeadersGetsThem(): void
    {
        $this->getJson('/named/careless')->assertOk();
        $this->getJson('/named/careless')->assertStatus(429)
            ->assertHeader('Retry-After', '60')
            ->assertHeader('X-RateLimit-Limit', '1')
            ->assertHeader('X-RateLimit-Remaining', '0');
    }

    public function testABudgetIsTheSameInWhateverCompany(): void
    {
        $alone = false;
        RateLimiter::for('two', static function () use (&$alone) {
            $limit = Limit::perMinute(2)->by('k');

            return $alone ? $limit : [$limit, Limit::perHour(9)->by('other')];
        });
        $this->getJson('/named/two')->assertHeader('X-RateLimit-Limit', '2')->assertHeader('X-RateLimit-Remaining', '1');
        $alone = true;
        $this->getJson('/named/two')->assertHeader('X-RateLimit-Remaining', '0');
    }

    public function testLimitsWithOneKeyAndOneWindowAreTwoBudgets(): void
    {
        RateLimiter::for('two', static fn () => [Limit::perMinute(2), Limit::perMinute(5)]);
        $this->getJson('/named/two')->assertOk()->assertHeader('X-RateLimit-Limit', '2')->assertHeader('X-RateLimit-Remaining', '1');
    }

    public function testNoneInAnArrayLimitsNothing(): void
    {
        RateLimiter::for('two', static fn () => [Limit::none(), Limit::perMinute(2)]);
        $this->getJson('/named/two')->assertOk()->assertHeader('X-RateLimit-Limit', '2')->assertHeader('X-RateLimit-Remaining', '1');
    }

    public function testALimitOfNothingRefusesEverybody(): void
    {
        RateLimiter::for('two', static fn () => Limit::perMinute(0));
        $this->getJson('/named/two')->assertStatus(429)->assertHeader('X-RateLimit-Limit', '0')->assertHeader('Retry-After', '60');
        $this->assertSame([], self::$redis->keys());
    }

    /** As Laravel 11 and later hand it over. */
    public function testALimitInSecondsThatCountsAfterTheResponse(): void
    {
        $limit = (object) [
            'key' => 'failures',
            'maxAttempts' => 2,
            'decaySeconds' => 10,
            'afterCallback' => static fn (Response $response): bool => $response->getStatusCode() === 401,
            'responseCallback' => null,
        ];
        $this->assertSame('2', $this->throttle($limit, 200)->headers->get('X-RateLimit-Remaining'), 'a success is not counted');
        $this->assertSame('1', $this->throttle($limit, 401)->headers->get('X-RateLimit-Remaining'));
        $this->assertSame('0', $this->throttle($limit, 401)->headers->get('X-RateLimit-Remaining'));
        $this->pass(3);
        try {
            $this->throttle($limit, 200);
            $this->fail('two failures are the limit');
        } catch (ThrottleRequestsException $exception) {
            $this->assertSame(7, $exception->getHeaders()['Retry-After']);
        }
        $this->pass(7);
        $this->assertSame('2', $this->throttle($limit, 200)->headers->get('X-RateLimit-Remaining'));
    }

    private function sub(string $path): SymfonyResponse
    {
        return $this->app->make(Kernel::class)->handle(Request::create($path));
    }

    private function throttle(object $limit, int $status): Response
    {
        $middleware = $this->app->make(ThrottleRequests::class);
        $handle = new \ReflectionMethod($middleware, 'handleRequest');

        return $handle->invoke($middleware, Request::create('/'), static fn (): Response => new Response('', $status), [$limit]);
    }

    public function testARefusalIsAnEvent(): void
    {
        Event::fake([RateLimitExceeded::class]);
        $this->getJson('/named/daily')->assertOk();
        $this->getJson('/named/daily')->assertStatus(429);
        Event::assertDispatched(RateLimitExceeded::class, static fn (RateLimitExceeded $event): bool => $event->decision->policy === 'throttle'
            && $event->tenant === 'daily');
    }

    public function testWithoutRedisRequestsPassWithoutHeaders(): void
    {
        $this->app['config']->set('ratelimit.url', "unix://{$this->application->path}/no.sock");
        $this->getJson('/numbers')->assertOk()->assertHeaderMissing('X-RateLimit-Remaining');
    }

    public function testAFailureRuleThatThereIsNotIsAnErrorNotFailOpen(): void
    {
        $this->app['config']->set('ratelimit.on_failure', 'close');
        $this->withoutExceptionHandling();
        $this->expectException(InvalidConfiguration::class);
        $this->expectExceptionMessage('The on_failure in config/ratelimit.php (RATELIMIT_ON_FAILURE) can be "open" or "closed", not "close".');
        $this->getJson('/numbers');
    }

    public function testNoFailureRuleIsThatOfTheIniSetting(): void
    {
        $this->app['config']->set(['ratelimit.url' => "unix://{$this->application->path}/no.sock", 'ratelimit.on_failure' => null]);
        $this->getJson('/numbers')->assertOk();
        $this->getJson('/group')->assertOk();
    }

    /** RATELIMIT_ON_FAILURE= in .env. */
    public function testAnEmptyFailureRuleIsNone(): void
    {
        $this->app['config']->set(['ratelimit.url' => "unix://{$this->application->path}/no.sock", 'ratelimit.on_failure' => '']);
        $this->withoutExceptionHandling();
        $this->getJson('/numbers')->assertOk();
        $this->getJson('/group')->assertOk();
    }

    public function testWithoutRedisAFailClosedApplicationAnswers503(): void
    {
        $this->app['config']->set(['ratelimit.url' => "unix://{$this->application->path}/no.sock", 'ratelimit.on_failure' => 'closed']);
        $this->getJson('/numbers')->assertStatus(503);
    }
}
