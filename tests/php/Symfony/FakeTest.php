<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use RedisRateLimit\Symfony\Testing\FakesRateLimits;
use RedisRateLimit\Tests\Symfony\App\Application;
use RedisRateLimit\UnknownPolicy;

/** An application's functional tests without Redis. */
final class FakeTest extends SymfonyTestCase
{
    use FakesRateLimits;

    private Application $application;

    protected function setUp(): void
    {
        parent::setUp();
        $_ENV['REDIS_URL'] = 'redis://nowhere.invalid';
        $this->application = $this->limited("    default: api\n    fake: true");
    }

    public function testEverythingIsAllowedUntilTheTestSaysOtherwise(): void
    {
        self::assertSame(200, self::request($this->application, '/hello')->getStatusCode());
        $this->rateLimits()->denyAfter(1, 'api');
        self::assertSame(200, self::request($this->application, '/hello')->getStatusCode());
        self::assertSame(429, self::request($this->application, '/hello')->getStatusCode());
        $this->rateLimits()->assertConsumed('api', times: 3, tenant: 'ip:127.0.0.1');
    }

    public function testTheFakeOutlivesTheContainerButNotTheTest(): void
    {
        $this->rateLimits()->assertNothingConsumed();
        $this->rateLimits()->deny();
        $this->application->boot();
        $this->application->shutdown();

        self::assertSame(429, self::request($this->application, '/hello')->getStatusCode());
        $this->rateLimits()->assertConsumed('api', times: 1);
    }

    public function testAMisspeltPolicyIsFound(): void
    {
        self::assertSame(200, self::request($this->application, '/hello')->getStatusCode());
        $this->expectException(UnknownPolicy::class);
        $this->expectExceptionMessage('There is no rate limit policy "apy"');
        $this->rateLimits()->denyAfter(2, 'apy');
    }
}
