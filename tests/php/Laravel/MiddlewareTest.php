<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Contracts\Http\Kernel;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Event;
use Illuminate\Support\Facades\Route;
use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Decision;
use RedisRateLimit\Laravel\Events\RateLimitDegraded;
use RedisRateLimit\Laravel\Events\RateLimitExceeded;
use RedisRateLimit\Laravel\Facades\RateLimit;
use RedisRateLimit\Laravel\Middleware\RateLimitRequests;
use RedisRateLimit\RateLimitExceeded as RefusedByPolicy;
use RedisRateLimit\UnknownPolicy;
use Symfony\Component\HttpKernel\Exception\HttpException;

/** The middleware `ratelimit`; policy "api" holds 3 tokens and gains one every 20 seconds. */
final class MiddlewareTest extends ApplicationTestCase
{
    private const PREFLIGHT = ['HTTP_ORIGIN' => 'https://example.com', 'HTTP_ACCESS_CONTROL_REQUEST_METHOD' => 'POST'];

    public function testHeadersAreExactAtASetClock(): void
    {
        foreach ([2, 1, 0] as $remaining) {
            $this->getJson('/group')->assertOk()->assertJson(['greeting' => 'hello'])
                ->assertHeader('X-RateLimit-Limit', '3')
                ->assertHeader('X-RateLimit-Remaining', (string) $remaining)
                ->assertHeader('X-RateLimit-Reset', (string) (self::T0 + 20))
                ->assertHeaderMissing('Retry-After');
        }
        $this->pass(5);
        $this->getJson('/group')->assertStatus(429)
            ->assertExactJson(['error' => 'rate_limited', 'message' => 'Too many requests. Try again in 15 seconds.', 'retry_after' => 15])
            ->assertHeader('Retry-After', '15')
            ->assertHeader('X-RateLimit-Limit', '3')
            ->assertHeader('X-RateLimit-Remaining', '0')
            ->assertHeader('X-RateLimit-Reset', (string) (self::T0 + 20))
            ->assertHeader('Cache-Control', 'no-store, private');
        $this->pass(15);
        $this->getJson('/group')->assertOk();
        $this->getJson('/group')->assertStatus(429)->assertHeader('Retry-After', '20');
    }

    public function testTextForAClientThatPrefersIt(): void
    {
        $this->exhaust();
        $answer = $this->get('/group', ['Accept' => 'text/html,application/xhtml+xml,*/*;q=0.8']);
        $answer->assertStatus(429)->assertHeader('Content-Type', 'text/plain; charset=utf-8');
        $this->assertSame("Too many requests. Try again in 20 seconds.\n", $answer->getContent());
    }

    public function testErrorsCarryHeaders(): void
    {
        $this->getJson('/missing')->assertStatus(404)->assertHeader('X-RateLimit-Remaining', '2');
        $this->getJson('/broken')->assertStatus(500)->assertHeader('X-RateLimit-Remaining', '1');
    }

    public function testAsGlobalMiddlewareItMeetsUnknownPathsToo(): void
    {
        $this->app->make(Kernel::class)->pushMiddleware(RateLimitRequests::class . ':api');
        $this->getJson('/nowhere')->assertStatus(404)->assertHeader('X-RateLimit-Remaining', '2');
        $this->getJson('/group')->assertOk()->assertHeader('X-RateLimit-Remaining', '1');
    }

    public function testOptionsIsNotCounted(): void
    {
        foreach ([[], self::PREFLIGHT] as $server) {
            $this->call('OPTIONS', '/group', server: $server)->assertOk()->assertHeaderMissing('X-RateLimit-Limit');
        }
        $this->getJson('/group')->assertHeader('X-RateLimit-Remaining', '2');
    }

    public function testAPostThatCallsItselfOptionsCounts(): void
    {
        $this->call('POST', '/group', ['_method' => 'OPTIONS'], server: self::PREFLIGHT)->assertOk()->assertHeader('X-RateLimit-Remaining', '2');
    }

    public function testHeadCountsOnce(): void
    {
        $this->call('HEAD', '/group')->assertOk()->assertHeader('X-RateLimit-Remaining', '2');
    }

    public function testGroupAndRouteWithTheSamePolicyCountOnce(): void
    {
        $this->getJson('/group-and-route')->assertHeader('X-RateLimit-Remaining', '2');
        $this->getJson('/group-and-route')->assertHeader('X-RateLimit-Remaining', '1');
    }

    public function testTheHigherCostCountsForOnePolicy(): void
    {
        $this->getJson('/group-and-dearer-route')->assertOk()->assertHeader('X-RateLimit-Remaining', '0');
        $this->getJson('/group')->assertStatus(429);
    }

    public function testCost(): void
    {
        $this->getJson('/export')->assertOk()->assertHeader('X-RateLimit-Remaining', '1');
        $this->getJson('/export')->assertStatus(429)->assertHeader('Retry-After', '20');
        $this->getJson('/group')->assertOk()->assertHeader('X-RateLimit-Remaining', '0');
    }

    public function testTheTighterOfTwoPoliciesShowsAndARefusalCostsNothing(): void
    {
        foreach ([1, 0] as $remaining) {
            $this->getJson('/daily')->assertOk()
                ->assertHeader('X-RateLimit-Limit', '2')
                ->assertHeader('X-RateLimit-Remaining', (string) $remaining)
                ->assertHeader('X-RateLimit-Reset', (string) (self::T0 + 86400));
        }
        $this->getJson('/daily')->assertStatus(429)->assertHeader('Retry-After', '86400');
        $this->getJson('/group')->assertOk()->assertHeader('X-RateLimit-Remaining', '0');
    }

    public function testSeveralPoliciesInOneMiddleware(): void
    {
        $this->getJson('/several')->assertOk()->assertHeader('X-RateLimit-Limit', '2')->assertHeader('X-RateLimit-Remaining', '0');
        $this->getJson('/several')->assertStatus(429)->assertHeader('Retry-After', '86400');
        $this->getJson('/group')->assertOk()->assertHeader('X-RateLimit-Remaining', '1');
    }

    public function testControllerMiddleware(): void
    {
        $this->get('/controller')->assertOk()->assertHeader('X-RateLimit-Remaining', '2');
        $this->get('/controller/free')->assertOk()->assertHeaderMissing('X-RateLimit-Remaining');
    }

    public function testAnUnknownPolicyIsNamedBesideTheKnownOnes(): void
    {
        $this->withoutExceptionHandling();
        $this->expectException(UnknownPolicy::class);
        $this->expectExceptionMessage('There is no rate limit policy "apy": known are "api", "daily", "crowd", "closed".');
        $this->getJson('/misspelt');
    }

    /** @dataProvider modes */
    #[DataProvider('modes')]
    public function testHeaderModes(string $mode, bool $legacy, bool $standard): void
    {
        $this->app['config']->set('ratelimit.headers', $mode);
        foreach ([200, 200, 200, 429] as $status) {
            $headers = $this->getJson('/group')->assertStatus($status)->headers;
            $this->assertSame($legacy, $headers->has('X-RateLimit-Remaining'));
            $this->assertSame($standard, $headers->has('RateLimit') && $headers->has('RateLimit-Policy'));
        }
        $this->assertSame('20', $headers->get('Retry-After'));
    }

    /** @return array<string, array{string, bool, bool}> */
    public static function modes(): array
    {
        return ['legacy' => ['legacy', true, false], 'standard' => ['standard', false, true], 'both' => ['both', true, true], 'none' => ['none', false, false]];
    }

    public function testAnApplicationsOwnRefusalKeepsTheHeaders(): void
    {
        RateLimit::refuseUsing(static fn (Request $request, Decision $decision) => response("no more {$decision->policy}", 420));
        $this->exhaust();
        $answer = $this->getJson('/group');
        $answer->assertStatus(420)->assertHeader('Retry-After', '20')->assertHeader('X-RateLimit-Remaining', '0');
        $this->assertSame('no more api', $answer->getContent());
    }

    /** @dataProvider guards */
    #[DataProvider('guards')]
    public function testWhatEnsureAllowedThrowsIsARefusal(array $middleware): void
    {
        Route::get('/guarded', static fn (): string => 'left: ' . RateLimit::consume('closed', 'team:1')->ensureAllowed()->remaining)->middleware($middleware);
        $this->assertSame('left: 0', $this->getJson('/guarded')->assertOk()->getContent());
        $this->getJson('/guarded')->assertStatus(429)
            ->assertExactJson(['error' => 'rate_limited', 'message' => 'Too many requests. Try again in 60 seconds.', 'retry_after' => 60])
            ->assertHeader('X-RateLimit-Limit', '1')
            ->assertHeader('X-RateLimit-Remaining', '0')
            ->assertHeader('Retry-After', '60');
        $this->assertSame('', $this->application->log());
        RateLimit::refuseUsing(static fn () => response('no', 420));
        $this->getJson('/guarded')->assertStatus(420)->assertHeader('Retry-After', '60');
    }

    public function testWhatEnsureAllowedThrowsInAViewInsideOfAViewIsARefusal(): void
    {
        $views = "{$this->application->path}/resources/views";
        file_put_contents("$views/page.blade.php", "@include('part')");
        file_put_contents("$views/part.blade.php", "{{ RateLimit::consume('closed', 'team:1', cost: \$cost)->ensureAllowed()->remaining }} left");
        Route::get('/page/{cost}', static fn (int $cost) => view('page', ['cost' => $cost]));
        $this->getJson('/page/1')->assertOk()->assertSee('0 left');
        $this->getJson('/page/1')->assertStatus(429)->assertHeader('X-RateLimit-Limit', '1')->assertHeader('Retry-After', '60');
        $this->assertSame('', $this->application->log());
        $this->getJson('/page/2')->assertStatus(429)->assertHeaderMissing('Retry-After');
        $this->assertStringContainsString('ViewException', $this->application->log());
    }

    public function testAnHttpErrorThatTheApplicationMakesOfARefusalStays(): void
    {
        $this->throwInsteadOfARefusal(static fn (RefusedByPolicy $refusal) => new HttpException(503, 'later', $refusal));
        $this->getJson('/own')->assertStatus(503)->assertHeaderMissing('X-RateLimit-Limit');
        $this->assertSame('', $this->application->log());
    }

    public function testAnyOtherErrorThatItMakesOfOneIsAnsweredAsTheRefusalAndLogged(): void
    {
        $this->throwInsteadOfARefusal(static fn (RefusedByPolicy $refusal) => new \RuntimeException('no import today', 0, $refusal));
        $this->getJson('/own')->assertStatus(429)->assertHeader('X-RateLimit-Limit', '1');
        $this->assertStringContainsString('no import today', $this->application->log());
    }

    /** @param \Closure(RefusedByPolicy): \Throwable $own what the controller of /own throws */
    private function throwInsteadOfARefusal(\Closure $own): void
    {
        Route::get('/own', static function () use ($own): never {
            try {
                RateLimit::consume('closed', 'team:1', cost: 2)->ensureAllowed();
            } catch (RefusedByPolicy $refusal) {
                throw $own($refusal);
            }
        });
    }

    public function testACostThatNeverPassesIsAnErrorOfTheApplication(): void
    {
        Route::get('/guarded', static fn (): string => (string) RateLimit::consume('closed', 'team:1', cost: 2)->ensureAllowed()->remaining);
        $this->getJson('/guarded')->assertStatus(429)->assertHeaderMissing('Retry-After');
        $this->assertStringContainsString('RateLimitExceeded', $this->application->log());
    }

    /** @return array<string, array{list<string>}> */
    public static function guards(): array
    {
        return ['alone' => [[]], 'behind a policy that passes' => [['ratelimit:crowd']]];
    }

    public function testTheRequestHoldsTheDecision(): void
    {
        $this->getJson('/group');
        $decision = $this->app['request']->attributes->get('_rate_limit');
        $this->assertInstanceOf(Decision::class, $decision);
        $this->assertSame([true, 'api', 2], [$decision->allowed, $decision->policy, $decision->remaining]);
        $this->getJson('/group');
        $this->getJson('/group');
        $this->getJson('/group')->assertStatus(429);
        $this->assertFalse($this->app['request']->attributes->get('_rate_limit')->allowed);
    }

    public function testAnAuditLogKeepsTheRequestsId(): void
    {
        $this->app['config']->set('ratelimit.policies.api', ['policy' => 'sliding_log', 'limit' => 9, 'interval' => 60, 'audit' => true]);
        $this->getJson('/group', ['X-Request-Id' => 'r-1']);
        $this->getJson('/group', ['X-Request-Id' => str_repeat('x', 500)]);
        $this->getJson('/group', ['X-Request-Id' => '']);
        RateLimit::consume('api', 'ip:127.0.0.1', requestId: 'own');
        $ids = array_column(RateLimit::history('api', 'ip:127.0.0.1'), 'request_id');
        $this->assertSame(['r-1', str_repeat('x', 128), null, 'own'], $ids);
    }

    public function testItRunsAfterAuthentication(): void
    {
        $this->getJson('/private')->assertStatus(401)->assertHeaderMissing('X-RateLimit-Limit');
        $this->getJson('/private', ['X-User' => '42'])->assertOk()->assertHeader('X-RateLimit-Remaining', '2');
        $this->assertSame(['rl:api:user:42:global'], self::$redis->keys());
    }

    public function testARefusalIsAnEvent(): void
    {
        Event::fake([RateLimitExceeded::class, RateLimitDegraded::class]);
        $this->exhaust();
        Event::assertNotDispatched(RateLimitExceeded::class);
        $this->getJson('/group');
        Event::assertDispatchedTimes(RateLimitExceeded::class, 1);
        Event::assertDispatched(
            RateLimitExceeded::class,
            static fn (RateLimitExceeded $event): bool => $event->tenant === 'ip:127.0.0.1' && $event->decision->retryAfter === 20.0,
        );
        Event::assertNotDispatched(RateLimitDegraded::class);
    }

    public function testWithoutRedisTheFailureRuleAnswersAndTheLogGetsOneWarning(): void
    {
        Event::fake([RateLimitExceeded::class, RateLimitDegraded::class]);
        $this->app['config']->set('ratelimit.url', "unix://{$this->application->path}/no.sock");
        $this->getJson('/group')->assertOk()->assertHeaderMissing('X-RateLimit-Remaining');
        $this->getJson('/closed')->assertStatus(503)->assertHeaderMissing('X-RateLimit-Remaining')
            ->assertJson(['error' => 'rate_limited', 'retry_after' => null]);
        $this->getJson('/group')->assertOk();
        Event::assertDispatchedTimes(RateLimitDegraded::class, 3);
        Event::assertNotDispatched(RateLimitExceeded::class);
        $this->assertSame(1, substr_count($this->application->log(), '.WARNING:'), $this->application->log());
        $this->assertStringContainsString('no.sock', $this->application->log());
    }

    private function exhaust(): void
    {
        for ($i = 0; $i < 3; $i++) {
            $this->getJson('/group')->assertOk();
        }
    }
}
