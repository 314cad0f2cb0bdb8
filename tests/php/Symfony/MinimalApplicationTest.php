<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use RedisRateLimit\Tests\Support\MarkdownBlock;
use RedisRateLimit\Tests\Symfony\App\Application;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpKernel\Event\RequestEvent;
use Symfony\Component\HttpKernel\HttpKernelInterface;

/** An application with the lines of YAML that the documentation begins with. */
final class MinimalApplicationTest extends SymfonyTestCase
{
    private const PREFLIGHT = ['HTTP_ORIGIN' => 'https://example.com', 'HTTP_ACCESS_CONTROL_REQUEST_METHOD' => 'POST'];

    private Application $application;

    protected function setUp(): void
    {
        parent::setUp();
        $this->application = $this->application(MarkdownBlock::with('docs/symfony.md', 'yaml', '# config/packages/redis_rate_limit.yaml'));
    }

    public function testTheDocumentedBundleIsTheOneThatRuns(): void
    {
        $this->application->boot();
        $bundles = eval(MarkdownBlock::with('docs/symfony.md', 'php', '// config/bundles.php'));

        self::assertSame([get_class($this->application->getBundle('RedisRateLimitBundle')) => ['all' => true]], $bundles);
    }

    public function testABurstPassesThenIsRefusedWithExactHeaders(): void
    {
        for ($left = 59; $left >= 0; $left--) {
            $response = self::request($this->application, '/hello');

            self::assertSame(200, $response->getStatusCode());
            self::assertSame('60', $response->headers->get('X-RateLimit-Limit'));
            self::assertRemaining($left, $response);
            self::assertSame((string) (self::T0 + 1), $response->headers->get('X-RateLimit-Reset'));
            self::assertFalse($response->headers->has('Retry-After'));
            self::assertStringContainsString("$left left", $response->getContent());
        }

        $response = self::request($this->application, '/hello');

        self::assertSame(429, $response->getStatusCode());
        self::assertSame('60', $response->headers->get('X-RateLimit-Limit'));
        self::assertRemaining(0, $response);
        self::assertSame((string) (self::T0 + 1), $response->headers->get('X-RateLimit-Reset'));
        self::assertSame('1', $response->headers->get('Retry-After'));
        self::assertStringContainsString('no-store', $response->headers->get('Cache-Control'));
        self::assertSame('application/json', $response->headers->get('Content-Type'));
        self::assertSame(
            ['error' => 'rate_limited', 'message' => 'Too many requests. Try again in 1 second.', 'retry_after' => 1],
            json_decode($response->getContent(), true),
        );
    }

    public function testWaitingAsToldPasses(): void
    {
        for ($i = 0; $i < 61; $i++) {
            $response = self::request($this->application, '/hello');
        }
        $this->clockAt((int) $response->headers->get('Retry-After'));

        self::assertSame(200, self::request($this->application, '/hello')->getStatusCode());
        self::assertSame(429, self::request($this->application, '/hello')->getStatusCode());
    }

    public function testAClientThatPrefersTextIsRefusedInText(): void
    {
        for ($i = 0; $i < 60; $i++) {
            self::request($this->application, '/hello');
        }
        $response = self::request($this->application, '/hello', server: ['HTTP_ACCEPT' => 'text/html, text/plain, application/json;q=0.5']);

        self::assertSame(429, $response->getStatusCode());
        self::assertSame('text/plain; charset=utf-8', strtolower($response->headers->get('Content-Type')));
        self::assertSame("Too many requests. Try again in 1 second.\n", $response->getContent());
    }

    public function testErrorResponsesCarryTheHeaders(): void
    {
        foreach ([['/missing', 404, 59], ['/broken', 500, 58], ['/no-route', 404, 57]] as [$path, $status, $left]) {
            $response = self::request($this->application, $path);

            self::assertSame($status, $response->getStatusCode());
            self::assertRemaining($left, $response);
        }
    }

    public function testWhoTriesManyUrlsIsRefused(): void
    {
        for ($i = 0; $i < 60; $i++) {
            self::assertSame(404, self::request($this->application, "/guess-$i")->getStatusCode());
        }

        $response = self::request($this->application, '/guess-60');

        self::assertSame(429, $response->getStatusCode());
        self::assertSame('1', $response->headers->get('Retry-After'));
    }

    public function testHeadCountsOnce(): void
    {
        self::assertRemaining(59, self::request($this->application, '/hello', 'HEAD'));
        self::assertRemaining(58, self::request($this->application, '/hello'));
    }

    public function testOptionsDoesNotCount(): void
    {
        foreach ([[], self::PREFLIGHT] as $server) {
            self::assertRemaining(null, self::request($this->application, '/hello', 'OPTIONS', $server));
            self::assertRemaining(null, self::request($this->application, '/no-route', 'OPTIONS', $server));
        }
        self::assertSame([], self::$redis->keys());
    }

    public function testAPostThatCallsItselfOptionsCounts(): void
    {
        self::assertRemaining(59, self::request($this->application, '/hello', 'POST', self::PREFLIGHT + ['HTTP_X_HTTP_METHOD_OVERRIDE' => 'OPTIONS']));
    }

    public function testSubRequestsDoNotCount(): void
    {
        self::assertRemaining(59, self::request($this->application, '/parent'));
        self::assertRemaining(58, self::request($this->application, '/hello'));
    }

    public function testSubRequestsThatNoRouteFitsDoNotCountEither(): void
    {
        $response = $this->application->handle(Request::create('/no-route'), HttpKernelInterface::SUB_REQUEST);
        self::assertSame(404, $response->getStatusCode());
        self::assertSame([], self::$redis->keys());
    }

    public function testListenersBelowPrioritySevenSeeTheDecision(): void
    {
        $this->application->boot();
        $seen = [];
        foreach ([8, 6] as $priority) {
            $this->application->getContainer()->get('event_dispatcher')->addListener('kernel.request', static function (RequestEvent $event) use (&$seen, $priority): void {
                $seen[$priority] = $event->getRequest()->attributes->has('_rate_limit');
            }, $priority);
        }
        self::request($this->application, '/hello');
        self::assertSame([8 => false, 6 => true], $seen);
    }

    public function testEachAddressHasItsBudgetAndANetworkOfIpv6One(): void
    {
        self::assertRemaining(59, self::request($this->application, '/hello', server: ['REMOTE_ADDR' => '192.0.2.7']));
        self::assertRemaining(59, self::request($this->application, '/hello', server: ['REMOTE_ADDR' => '2001:db8:1:2::1']));
        self::assertRemaining(58, self::request($this->application, '/hello', server: ['REMOTE_ADDR' => '2001:db8:1:2::2']));
        self::assertSame(['rl:api:ip:192.0.2.7:global', 'rl:api:ip:2001:db8:1:2::/64:global'], self::$redis->keys());
    }
}
