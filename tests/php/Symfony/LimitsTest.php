<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use RedisRateLimit\Decision;
use RedisRateLimit\Policy;
use RedisRateLimit\Symfony\Attribute\RateLimited;
use RedisRateLimit\Tests\Symfony\App\Controller;
use RedisRateLimit\Tests\Symfony\App\InvokableController;
use RedisRateLimit\Tests\Symfony\App\LimitedController;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

/** Which policies a request is charged to: by route, by attribute, once each. */
final class LimitsTest extends SymfonyTestCase
{
    public function testRoutesGoByNameThenByPatternThenByTheDefault(): void
    {
        $application = $this->limited(<<<'YAML'
                default: api
                routes:
                    hello: ~
                    'lim*': export
                    '/t/*': [export]
            YAML);

        self::assertFalse(self::request($application, '/hello')->headers->has('X-RateLimit-Limit'));
        self::assertSame('10', self::request($application, '/t/acme')->headers->get('X-RateLimit-Limit'));
        self::assertSame('60', self::request($application, '/parent')->headers->get('X-RateLimit-Limit'));
        self::assertSame(['rl:api:ip:127.0.0.1:global', 'rl:export:tenant:acme:global'], self::$redis->keys());
        self::request($application, '/limited');
        self::assertContains('rl:export:ip:127.0.0.1:global', self::$redis->keys());
    }

    /** @dataProvider spellings */
    #[DataProvider('spellings')]
    public function testAPathIsMatchedAsTheRouterReadsIt(string $path): void
    {
        $application = $this->limited("    routes: { '/t/*': api }\n    tenant: ip");

        $response = self::request($application, $path);

        self::assertSame(200, $response->getStatusCode());
        self::assertRemaining(59, $response);
    }

    public static function spellings(): array
    {
        return ['plain' => ['/t/acme'], 'encoded' => ['/%74/acme'], 'NUL' => ['/t/a%00b'], 'line feed' => ['/t/a%0A'], 'long' => ['/t/' . str_repeat('a', 5_000)]];
    }

    public function testWithoutAStarAllOfANameOrPathMustBeTheSame(): void
    {
        $application = $this->limited("    routes: { hel: api, hello2: api, /t/acme: api }\n    tenant: ip");

        self::assertRemaining(null, self::request($application, '/hello'));
        self::assertRemaining(59, self::request($application, '/t/acme'));
        self::assertRemaining(null, self::request($application, '/t/acm'));
        self::assertRemaining(null, self::request($application, '/t/acme2'));
    }

    public function testAQuestionMarkStandsForACharacterNotAByte(): void
    {
        $application = $this->limited("    routes: { '/t/caf?': api, '/t/?': api }\n    tenant: ip");

        self::assertRemaining(59, self::request($application, '/t/caf%C3%A9'));
        self::assertRemaining(58, self::request($application, '/t/%E2%93%90'));
        self::assertRemaining(57, self::request($application, '/t/a'));
        self::assertRemaining(null, self::request($application, '/t/ab'));
    }

    public function testAPathThatIsHardToMatchIsMatchedExactly(): void
    {
        $application = $this->limited("    default: api\n    routes: { '/t/*x*y*z?z': ~ }\n    tenant: ip");

        self::assertRemaining(59, self::request($application, '/t/' . str_repeat('xy', 3_000) . 'zaza'));
        self::assertRemaining(null, self::request($application, '/t/' . str_repeat('xy', 3_000) . 'zaz'));
        self::assertRemaining(58, self::request($application, '/t/yxz-z'));
    }

    public function testEverySpellingOfAPathIsOneScope(): void
    {
        $application = $this->limited('');

        self::assertRemaining(9, self::request($application, '/files/report'));
        self::assertRemaining(8, self::request($application, '/%66iles/rep%6Frt'));
        self::assertContains('rl:export:ip:127.0.0.1:/files/report', self::$redis->keys());
    }

    public function testOfTwoPoliciesTheTighterShows(): void
    {
        $application = $this->limited("    routes: { hello: [api, export] }");

        $request = Request::create('/hello');
        $response = $application->handle($request);

        self::assertSame('10', $response->headers->get('X-RateLimit-Limit'));
        self::assertRemaining(9, $response);
        self::assertSame((string) (self::T0 + 3600), $response->headers->get('X-RateLimit-Reset'));
        self::assertInstanceOf(Decision::class, $request->attributes->get('_rate_limit'));
        self::assertSame('export', $request->attributes->get('_rate_limit')->policy);
    }

    /**
     * @testWith ["api, export"]
     *           ["export, api"]
     */
    #[TestWith(['api, export'])]
    #[TestWith(['export, api'])]
    public function testARequestThatOnePolicyRefusesIsChargedToNone(string $both): void
    {
        $application = $this->limited("    routes: { hello: [$both], parent: api }");
        for ($i = 0; $i < 10; $i++) {
            self::assertSame(200, self::request($application, '/hello')->getStatusCode());
        }
        $refused = self::request($application, '/hello');

        self::assertSame(429, $refused->getStatusCode());
        self::assertSame('3600', $refused->headers->get('Retry-After'));
        self::assertRemaining(49, self::request($application, '/parent'));
    }

    public function testAttributesOfMethodAndClassCount(): void
    {
        $application = $this->limited('');

        $response = self::request($application, '/export/apollo');

        self::assertSame('10', $response->headers->get('X-RateLimit-Limit'));
        self::assertRemaining(5, $response);
        self::assertSame(['rl:api:ip:127.0.0.1:global', 'rl:export:ip:127.0.0.1:GET project-apollo'], self::$redis->keys());
        self::assertRemaining(58, self::request($application, '/limited'));
    }

    public function testAPlaceholderThatWasLeftOutIsEmptyInAScopeAndOneThatIsNotThereAnError(): void
    {
        $application = $this->limited('');
        $request = self::runBy(LimitedController::class . '::export');
        $request->attributes->set('project', null);
        $application->handle($request);

        self::assertContains('rl:export:ip:127.0.0.1:GET project-', self::$redis->keys());
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('names {project}, but the request has no such attribute');
        $application->handle(self::runBy(LimitedController::class . '::export'), catch: false);
    }

    public function testAnAttributeCountsItsMethodsOnly(): void
    {
        $application = $this->limited('');

        self::assertSame('60', self::request($application, '/export/apollo', 'POST')->headers->get('X-RateLimit-Limit'));
        self::assertSame('10', self::request($application, '/export/apollo', 'HEAD')->headers->get('X-RateLimit-Limit'));
    }

    public function testOptionsCountsWhereAnAttributeNamesIt(): void
    {
        $application = $this->limited('');

        self::assertRemaining(5, self::request($application, '/export/apollo', 'OPTIONS'));
        self::assertSame(['rl:export:ip:127.0.0.1:OPTIONS project-apollo'], self::$redis->keys());
    }

    public function testAPolicyCountsOnceHoweverItIsAttached(): void
    {
        $application = $this->limited("    default: api\n    routes: { limited: [api, api] }");

        self::assertRemaining(59, self::request($application, '/limited'));
        self::assertRemaining(52, self::request($application, '/own'));
        self::assertRemaining(51, self::request($application, '/hello'));
    }

    public function testInvokableControllersAndControllersByServiceIdAreFound(): void
    {
        $application = $this->limited('');

        self::assertRemaining(58, self::request($application, '/invokable'));
        self::assertRemaining(55, self::request($application, '/service'));
    }

    public function testAControllerIsFoundHoweverItsServiceIsDefined(): void
    {
        $application = $this->limited('', self::POLICIES . <<<'YAML'

            services:
                app.untagged: { class: RedisRateLimit\Tests\Symfony\App\ServiceController, public: true }
                app.child: { parent: app.untagged, public: true, tags: [controller.service_arguments] }
                app.alias: { alias: app.untagged, public: true }
            YAML);
        foreach (['app.untagged' => 57, 'app.child' => 54, 'app.alias' => 51] as $service => $left) {
            self::assertRemaining($left, $application->handle(self::runBy("$service::page")));
        }
    }

    /** As a fragment's, whose listener names the controller. */
    public function testARequestThatNeedsNoRouteIsChargedOnceWhateverItsControllerThrows(): void
    {
        $response = $this->limited('    default: api')->handle(self::runBy(Controller::class . '::missing'));

        self::assertSame(404, $response->getStatusCode());
        self::assertRemaining(59, $response);
    }

    public function testAFunctionIsFoundByItsName(): void
    {
        $function = __NAMESPACE__ . '\limited';
        eval('namespace ' . __NAMESPACE__ . '; #[\\' . RateLimited::class . '("api", cost: 4)] function limited() { return new \\' . Response::class . '(); }');
        self::assertRemaining(56, $this->limited('')->handle(self::runBy($function)));
    }

    public function testControllersThatAreNoNamesAreFound(): void
    {
        $application = $this->limited('');
        $closure = #[RateLimited('api', cost: 4)] static fn (): Response => new Response('closure');
        foreach ([56 => $closure, 54 => new InvokableController(), 47 => [new LimitedController(), 'own']] as $left => $controller) {
            self::assertSame(200, $application->handle(self::runBy($controller))->getStatusCode());
            self::assertSame($left, $this->limiter->peek(Policy::tokenBucket('api', 60, 60, 60), 'ip:127.0.0.1')->remaining);
        }
    }

    public function testAnAttributesArgumentsStandInTheirOrder(): void
    {
        self::assertEquals(
            new RateLimited(policy: 'export', tenant: 'ip', cost: 5, methods: ['POST']),
            new RateLimited('export', 'ip', 5, 'post'),
        );

        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('"export"');
        new RateLimited('export', cost: 0);
    }

    private static function runBy(mixed $controller): Request
    {
        $request = Request::create('/x');
        $request->attributes->set('_controller', $controller);

        return $request;
    }

    public function testARefusedRequestBuildsNoController(): void
    {
        $application = $this->limited('');
        for ($i = 0; $i < 60; $i++) {
            self::request($application, '/limited');
        }
        LimitedController::$built = 0;

        self::assertSame(429, self::request($application, '/limited')->getStatusCode());
        self::assertSame(0, LimitedController::$built);
    }

    public function testAnAuditLogKeepsTheRequestsId(): void
    {
        $application = $this->limited('    default: log', self::POLICIES . "\n        log: { policy: sliding_log, limit: 9, interval: 60, audit: true }");
        foreach (['r-1', str_repeat('x', 500), ''] as $id) {
            self::request($application, '/hello', server: ['HTTP_X_REQUEST_ID' => $id]);
        }
        $history = $this->limiter->history(Policy::slidingLog('log', 9, 60, audit: true), 'ip:127.0.0.1');

        self::assertSame(['r-1', str_repeat('x', 128), null], array_column($history, 'request_id'));
    }

    public function testTheProfilersOwnPagesAreNotCounted(): void
    {
        $application = $this->limited("    default: api", full: true);

        self::request($application, '/_wdt/none');

        self::assertSame([], self::$redis->keys());
    }

    /**
     * @dataProvider algorithms
     *
     * @param list<array{int, string}> $requests the second and the address of each
     * @param array<string, mixed>     $last     of the last decision
     */
    #[DataProvider('algorithms')]
    public function testPoliciesAreWhatTheirWordsSay(string $policy, array $requests, array $last, string $key): void
    {
        $application = $this->limited('    default: api', "    policies: { api: { $policy }, export: { policy: no_limit } }");
        foreach ($requests as [$second, $address]) {
            $this->clockAt($second);
            $application->handle($request = Request::create('/hello', server: ['REMOTE_ADDR' => $address]));
        }

        self::assertSame($last, array_intersect_key(get_object_vars($request->attributes->get('_rate_limit')), $last));
        self::assertSame([$key], self::$redis->keys());
    }

    public static function algorithms(): array
    {
        $one = '192.0.2.1';
        $key = "rl:api:ip:$one:global";

        // Flags as text are what the environment gives.
        return [
            'aligned with the day' => ['policy: fixed_window, limit: 5, interval: 1 day, aligned: "true"', [[3600, $one]], ['remaining' => 4, 'resetAt' => self::T0 + 86_400.0], $key],
            'shared by two addresses' => ['policy: fixed_window, limit: 5, interval: 60, shared: "true"', [[0, $one], [0, '192.0.2.2']], ['remaining' => 3], 'rl:api:global'],
            'a queue' => ['policy: leaky_bucket, limit: 3, rate: { amount: 1, interval: 10 seconds }', [[0, $one], [0, $one]], ['remaining' => 1, 'delay' => 10.0], $key],
            'half of the window before' => ['policy: sliding_window, limit: 4, interval: 60', [[0, $one], [0, $one], [0, $one], [0, $one], [90, $one]], ['remaining' => 1], $key],
        ];
    }

    /** @dataProvider headerModes */
    #[DataProvider('headerModes')]
    public function testHeadersAreThoseAskedFor(string $mode, array $expected): void
    {
        $application = $this->limited("    default: export\n    headers: $mode");
        for ($i = 0; $i < 11; $i++) {
            $response = self::request($application, '/hello');
        }

        $present = array_filter(
            ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
            static fn (string $name): bool => $response->headers->has($name),
        );
        self::assertSame($expected, array_values($present));
    }

    public static function headerModes(): array
    {
        $legacy = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
        $standard = ['RateLimit', 'RateLimit-Policy'];

        return [
            'legacy' => ['legacy', [...$legacy, 'Retry-After']],
            'standard' => ['standard', [...$standard, 'Retry-After']],
            'both' => ['both', [...$legacy, ...$standard, 'Retry-After']],
            'none' => ['none', ['Retry-After']],
        ];
    }
}
