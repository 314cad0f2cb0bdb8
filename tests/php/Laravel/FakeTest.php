<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Routing\Middleware\ThrottleRequests;
use Illuminate\Support\Facades\Event;
use PHPUnit\Framework\AssertionFailedError;
use RedisRateLimit\Laravel\Events\RateLimitExceeded;
use RedisRateLimit\Laravel\Facades\RateLimit;
use RedisRateLimit\Laravel\Middleware\RateLimitRequests;
use RedisRateLimit\UnknownPolicy;

/** RateLimit::fake() in an application whose Redis does not exist. */
final class FakeTest extends ApplicationTestCase
{
    protected function config(): array
    {
        return ['ratelimit.url' => 'unix:///nowhere.sock', 'ratelimit.replace_throttle' => true] + parent::config();
    }

    protected function setUp(): void
    {
        parent::setUp();
        RateLimit::fake();
    }

    public function testEverythingIsAllowedAndRemembered(): void
    {
        RateLimit::assertNothingConsumed();
        $this->getJson('/group')->assertOk()->assertHeader('X-RateLimit-Limit', '3');
        $this->getJson('/several')->assertOk();
        RateLimit::assertConsumed('api', 2);
        RateLimit::assertConsumed('daily', times: 1, tenant: 'ip:127.0.0.1');
    }

    public function testDenyAfter(): void
    {
        Event::fake([RateLimitExceeded::class]);
        RateLimit::denyAfter(1, 'api');
        $this->getJson('/group')->assertOk()->assertHeader('X-RateLimit-Remaining', '0');
        $this->getJson('/group')->assertStatus(429)->assertHeader('Retry-After', '60');
        $this->getJson('/crowd')->assertOk();
        Event::assertDispatchedTimes(RateLimitExceeded::class, 1);
        RateLimit::allow('api');
        $this->getJson('/group')->assertOk();
    }

    public function testDenyingAllDeniesThrottleToo(): void
    {
        RateLimit::deny();
        $this->getJson('/crowd')->assertStatus(429);
        $this->getJson('/named/two')->assertStatus(429)->assertHeader('Retry-After', '60');
        RateLimit::assertConsumed('throttle', tenant: 'two');
    }

    public function testAnotherFakeIsForTheMiddlewareToo(): void
    {
        $this->getJson('/group')->assertOk();
        $this->getJson('/named/two')->assertOk();
        RateLimit::fake()->deny();
        $this->getJson('/group')->assertStatus(429);
        $this->getJson('/named/two')->assertStatus(429);
    }

    /** As where a test case's setUp() does without them. */
    public function testWhatATestPutsInTheirPlaceOutlastsAnotherFake(): void
    {
        $this->getJson('/group')->assertOk();
        $this->withoutMiddleware([ThrottleRequests::class, RateLimitRequests::class]);
        RateLimit::swap($own = new \stdClass());

        RateLimit::fake()->deny();

        $this->getJson('/group')->assertOk()->assertHeaderMissing('X-RateLimit-Limit');
        $this->getJson('/named/two')->assertOk();
        $this->assertSame($own, RateLimit::getFacadeRoot());
    }

    public function testAnAssertionThatDoesNotHoldFails(): void
    {
        RateLimit::consume('api', 'user:42');
        $this->expectException(AssertionFailedError::class);
        $this->expectExceptionMessage('The policy "api" was consumed 1 times, not 2 times. Consumed were: api by user:42 (1 time).');
        RateLimit::assertConsumed('api', 2);
    }

    public function testAMisspeltPolicyIsFound(): void
    {
        $this->app['config']->set('ratelimit.policies', ['uploads' => ['policy' => 'fixed_window', 'limit' => 1, 'interval' => 60]]);
        RateLimit::denyAfter(2, 'uploads');
        RateLimit::assertConsumed('throttle', 0);
        foreach ([static fn () => RateLimit::denyAfter(2, 'uplaods'), static fn () => RateLimit::assertConsumed('uplaods', 0)] as $misspelt) {
            try {
                $misspelt();
                $this->fail('it was silent');
            } catch (UnknownPolicy $exception) {
                $this->assertSame('There is no rate limit policy "uplaods": known are "uploads", "throttle".', $exception->getMessage());
            }
        }
    }
}
