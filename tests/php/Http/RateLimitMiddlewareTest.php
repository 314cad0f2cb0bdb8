<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Http;

use Nyholm\Psr7\Factory\Psr17Factory;
use PHPUnit\Framework\Attributes\DataProvider;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Log\NullLogger;
use RedisRateLimit\Decision;
use RedisRateLimit\Http\Headers;
use RedisRateLimit\Http\RateLimitMiddleware;
use RedisRateLimit\NativeLimiter;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\RateLimitExceeded;
use RedisRateLimit\Testing\FakeDecision;
use RedisRateLimit\Tests\RedisTestCase;
use RedisRateLimit\Tests\Support\MarkdownBlock;

require_once __DIR__ . '/psr15.php';

/** On a real Redis with a set clock; policy "api" holds 2 tokens and gains one every 30 seconds. */
final class RateLimitMiddlewareTest extends RedisTestCase
{
    private const PREFLIGHT = ['Origin' => 'https://example.com', 'Access-Control-Request-Method' => 'POST'];

    private Psr17Factory $factory;
    private Policy $api;

    protected function setUp(): void
    {
        parent::setUp();
        $this->factory = new Psr17Factory();
        $this->api = Policy::tokenBucket('api', 2, 2, '1 minute');
    }

    public function testHeadersAndRefusal(): void
    {
        foreach (['1', '0'] as $remaining) {
            $answer = $this->send([$this->limit($this->api)]);
            $this->assertSame(200, $answer->getStatusCode());
            $this->assertSame(['2', $remaining, (string) (self::T0 + 30)], $this->legacy($answer));
            $this->assertFalse($answer->hasHeader('Retry-After'));
        }
        self::$clock->advance(10);
        $refused = $this->send([$this->limit($this->api)]);
        $this->assertSame(429, $refused->getStatusCode());
        $this->assertSame(['2', '0', (string) (self::T0 + 30)], $this->legacy($refused));
        $this->assertSame('20', $refused->getHeaderLine('Retry-After'));
        $this->assertSame('no-store', $refused->getHeaderLine('Cache-Control'));
        $this->assertSame('application/json', $refused->getHeaderLine('Content-Type'));
        $this->assertSame(
            ['error' => 'rate_limited', 'message' => 'Too many requests. Try again in 20 seconds.', 'retry_after' => 20],
            json_decode((string) $refused->getBody(), true),
        );
        self::$clock->advance(20);
        $this->assertSame(200, $this->send([$this->limit($this->api)])->getStatusCode());
    }

    public function testOptionsIsNotCounted(): void
    {
        foreach ([[], self::PREFLIGHT] as $headers) {
            $this->assertFalse($this->send([$this->limit($this->api)], $headers, 'OPTIONS')->hasHeader('X-RateLimit-Limit'));
        }
        $this->assertSame([], self::$redis->keys());
        $this->assertSame('1', $this->send([$this->limit($this->api)], self::PREFLIGHT, 'POST')->getHeaderLine('X-RateLimit-Remaining'));
    }

    public function testOnePolicyTwiceCountsOnce(): void
    {
        $answer = $this->send([$this->limit($this->api), $this->limit($this->api)]);
        $this->assertSame('1', $answer->getHeaderLine('X-RateLimit-Remaining'));
    }

    public function testTheTighterPolicyShowsAndARefusalGivesTheOthersBack(): void
    {
        $hourly = Policy::fixedWindow('hourly', 1, '1 hour');
        $both = [$this->limit($this->api), $this->limit($hourly)];
        $this->assertSame(['1', '0', (string) (self::T0 + 3600)], $this->legacy($this->send($both)));
        $this->assertSame('3600', $this->send($both)->getHeaderLine('Retry-After'));
        $this->assertSame('0', $this->send([$this->limit($this->api)])->getHeaderLine('X-RateLimit-Remaining'));
    }

    public function testTenants(): void
    {
        $this->send([$this->limit($this->api)], ['Authorization' => 'Bearer s3cret']);
        $this->send([$this->limit($this->api)], address: '2001:db8:1:2:3:4:5:6');
        $this->send([$this->limit($this->api, tenant: static fn (ServerRequestInterface $request): string => $request->getHeaderLine('X-Tenant'))], ['X-Tenant' => 'a&b']);
        $this->assertSame([
            'rl:api:a&b:global',
            'rl:api:ip:2001:db8:1:2::/64:global',
            'rl:api:key:' . substr(hash('sha256', 's3cret'), 0, 32) . ':global',
        ], self::$redis->keys());
    }

    public function testTheDocumentedTenants(): void
    {
        [$limiter, $api, $responseFactory] = [new NativeLimiter($this->limiter), $this->api, $this->factory];
        eval('use RedisRateLimit\Http\RateLimitMiddleware; ' . MarkdownBlock::with('docs/psr15.md', 'php', 'Tenant::firstOf'));
        $key = ['X-Api-Key' => 's3cret'];
        $this->send([$perTenant], attributes: ['client_ip' => '2001:db8:1:2:3:4:5:6']);
        $this->send([$perTenant], address: '192.0.2.10');
        $this->send([$perTenant], address: '');
        $this->send([$perTenant], $key, attributes: ['client_ip' => '192.0.2.9']);
        $this->send([$perTenant], $key, attributes: ['user' => (object) ['id' => 42], 'client_ip' => '192.0.2.9']);
        $this->assertSame([
            'rl:api:ip:192.0.2.10:global',
            'rl:api:ip:2001:db8:1:2::/64:global',
            'rl:api:ip:unknown:global',
            'rl:api:key:' . substr(hash('sha256', 's3cret'), 0, 32) . ':global',
            'rl:api:user:42:global',
        ], self::$redis->keys());
    }

    /** @dataProvider nobodies */
    #[DataProvider('nobodies')]
    public function testATenantClosureThatNamesNobodyIsToldWhatToReturn(mixed $nobody, string $named): void
    {
        try {
            $this->send([$this->limit($this->api, tenant: static fn (): mixed => $nobody)]);
            $this->fail('it was counted for somebody');
        } catch (\InvalidArgumentException $exception) {
            $this->assertStringStartsWith("The tenant closure in front of the policy \"api\" returned $named: return", $exception->getMessage());
            $this->assertStringContainsString('Tenant::user("42")', $exception->getMessage());
        }
        $this->assertSame([], self::$redis->keys());
    }

    /** @return list<array{mixed, string}> */
    public static function nobodies(): array
    {
        return [[null, 'null'], ['', 'an empty string'], [42, 'int']];
    }

    public function testCostAndHeaderMode(): void
    {
        foreach (['standard', new Headers('standard')] as $i => $headers) {
            $answer = $this->send([$this->limit($this->api, cost: 2, headers: $headers)], address: "192.0.2.$i");
            $this->assertFalse($answer->hasHeader('X-RateLimit-Limit'));
            $this->assertStringContainsString('r=0', $answer->getHeaderLine('RateLimit'));
        }
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('not "modern"');
        $this->limit($this->api, headers: 'modern');
    }

    public function testTheExtensionsOwnLimiterWillDo(): void
    {
        $answer = $this->send([new RateLimitMiddleware($this->limiter, $this->api, $this->factory)]);
        $this->assertSame('1', $answer->getHeaderLine('X-RateLimit-Remaining'));
    }

    public function testAnAnswerOfTheApplicationKeepsTheHeaders(): void
    {
        $answer = fn (ServerRequestInterface $request, Decision $decision): ResponseInterface => $this->factory->createResponse(418);
        $this->send([$this->limit($this->api, cost: 2)]);
        $refused = $this->send([$this->limit($this->api, answer: $answer)]);
        $this->assertSame([418, '30'], [$refused->getStatusCode(), $refused->getHeaderLine('Retry-After')]);
    }

    public function testTheHandlerSeesTheDecision(): void
    {
        $seen = null;
        $this->send([$this->limit($this->api)], handler: function (ServerRequestInterface $request) use (&$seen): ResponseInterface {
            $seen = $request->getAttribute('_rate_limit');

            return $this->factory->createResponse();
        });
        $this->assertInstanceOf(Decision::class, $seen);
        $this->assertSame(1, $seen->remaining);
    }

    public function testWhatEnsureAllowedThrowsIsARefusal(): void
    {
        $limiter = new RateLimiter(self::$redis->url(), 2);
        $daily = Policy::fixedWindow('daily', 1, '1 day');
        $guarded = fn (): ResponseInterface => $this->factory->createResponse($limiter->consume($daily, 'team:1')->ensureAllowed()->allowed ? 200 : 500);
        $this->assertSame(200, $this->send([$this->limit($this->api)], handler: $guarded)->getStatusCode());
        $refused = $this->send([$this->limit($this->api)], handler: $guarded);
        $this->assertSame(429, $refused->getStatusCode());
        $this->assertSame(['1', '0', (string) (self::T0 + 86400)], $this->legacy($refused));
        $this->assertSame('86400', $refused->getHeaderLine('Retry-After'));
    }

    public function testARefusalIsFoundInWhatATemplateMakesOfIt(): void
    {
        $refusal = FakeDecision::of(Policy::fixedWindow('daily', 1, '1 day'), false, 0);
        $rendered = static function () use ($refusal): never {
            try {
                $refusal->ensureAllowed();
            } catch (RateLimitExceeded $exception) {
                throw new \RuntimeException('outer template', 0, new \RuntimeException('inner template', 0, $exception));
            }
        };
        $this->assertSame(429, $this->send([$this->limit($this->api)], handler: $rendered)->getStatusCode());
    }

    /** Slim is not there to be tested with: what stands in for its error has only its name. */
    public function testAnErrorOfSlimsThatTheApplicationMakesOfItGoesOn(): void
    {
        class_alias((new class extends \RuntimeException {
        })::class, 'Slim\Exception\HttpException');
        $refusal = FakeDecision::of(Policy::fixedWindow('daily', 1, '1 day'), false, 0);
        $this->expectException('Slim\Exception\HttpException');
        $this->send([$this->limit($this->api)], handler: static function () use ($refusal): never {
            try {
                $refusal->ensureAllowed();
            } catch (RateLimitExceeded $exception) {
                throw new ('Slim\Exception\HttpException')('come back tomorrow', 429, $exception);
            }
        });
    }

    public function testAnyOtherErrorGoesOn(): void
    {
        $error = new \LogicException('broken', 0, new \RuntimeException('cause'));
        try {
            $this->send([$this->limit($this->api)], handler: static fn (): never => throw $error);
            $this->fail('answered');
        } catch (\LogicException $thrown) {
            $this->assertSame($error, $thrown);
        }
    }

    public function testAnAuditLogKeepsTheRequestsId(): void
    {
        $log = Policy::slidingLog('log', 5, '1 minute', audit: true);
        $this->send([$this->limit($log)], ['X-Request-Id' => 'r-1']);
        $this->send([$this->limit($log)]);
        $history = (new RateLimiter(self::$redis->url(), 2))->history($log, 'ip:192.0.2.7');
        $this->assertSame(['r-1', null], array_column($history, 'request_id'));
    }

    public function testWithoutRedisAFailClosedPolicyAnswers503(): void
    {
        $limiter = new NativeLimiter(new RateLimiter('unix:///nowhere/psr15.sock'), new NullLogger());
        $closed = new RateLimitMiddleware($limiter, $this->api->failClosed(), $this->factory);
        $open = new RateLimitMiddleware($limiter, $this->api->failOpen(), $this->factory);
        $this->assertSame(503, $this->send([$closed])->getStatusCode());
        $answer = $this->send([$open], handler: function (ServerRequestInterface $request): ResponseInterface {
            $decision = $request->getAttribute('_rate_limit');
            $this->assertSame([true, 0], [$decision->degraded, $decision->remaining]);

            return $this->factory->createResponse();
        });
        $this->assertSame(200, $answer->getStatusCode());
        $this->assertFalse($answer->hasHeader('X-RateLimit-Remaining'));
    }

    /** Until the circuit opens the next request asks Redis, so that no wait can be named. */
    public function testA503NamesAWaitOnceTheNextProbeIsKnown(): void
    {
        ini_set('ratelimit.breaker_failures', '2');
        ini_set('ratelimit.breaker_cooldown_ms', '60000');
        $limiter = new NativeLimiter(new RateLimiter('unix:///nowhere/retry-after.sock'), new NullLogger());
        ini_restore('ratelimit.breaker_failures');
        ini_restore('ratelimit.breaker_cooldown_ms');
        $closed = new RateLimitMiddleware($limiter, $this->api->failClosed(), $this->factory);
        foreach ([1, 2] as $failure) {
            $answer = $this->send([$closed]);
            $this->assertSame([503, false], [$answer->getStatusCode(), $answer->hasHeader('Retry-After')], "failure $failure");
        }
        $answer = $this->send([$closed]);
        $this->assertSame(503, $answer->getStatusCode());
        $this->assertGreaterThan(0, (int) $answer->getHeaderLine('Retry-After'));
    }

    private function limit(Policy $policy, mixed ...$options): RateLimitMiddleware
    {
        return new RateLimitMiddleware(new NativeLimiter($this->limiter), $policy, $this->factory, ...$options);
    }

    /**
     * @param list<RateLimitMiddleware> $middleware
     * @param array<string, string>     $headers
     * @param array<string, mixed>      $attributes
     */
    private function send(
        array $middleware,
        array $headers = [],
        string $method = 'GET',
        string $address = '192.0.2.7',
        ?\Closure $handler = null,
        array $attributes = [],
    ): ResponseInterface {
        $request = $this->factory->createServerRequest($method, '/', ['REMOTE_ADDR' => $address]);
        foreach ($headers as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        foreach ($attributes as $name => $value) {
            $request = $request->withAttribute($name, $value);
        }

        return (new Stack($handler ?? fn (): ResponseInterface => $this->factory->createResponse(), ...$middleware))->handle($request);
    }

    /** @return list<string> limit, remaining, reset */
    private function legacy(ResponseInterface $answer): array
    {
        return array_map($answer->getHeaderLine(...), ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']);
    }
}
