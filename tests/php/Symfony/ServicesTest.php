<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use RedisRateLimit\Symfony\Limiter\LimiterFactory;
use RedisRateLimit\Symfony\Limiter\LoginRateLimiter;
use RedisRateLimit\Tests\Symfony\App\Consumer;

/** What an application's own services are given. */
final class ServicesTest extends SymfonyTestCase
{
    public function testPoliciesAreAutowiredByArgumentNameAndByTarget(): void
    {
        $application = $this->application(<<<'YAML'
            redis_rate_limit:
                url: '%env(REDIS_URL)%'
                policies:
                    export: { policy: fixed_window, limit: 2, interval: '1 hour' }
                    api: { policy: token_bucket, limit: 60, rate: { interval: '1 minute', amount: 60 } }
            services:
                RedisRateLimit\Tests\Symfony\App\Consumer: { public: true, autowire: true }
            YAML);
        $application->boot();
        $consumer = $application->getContainer()->get(Consumer::class);

        self::assertTrue($consumer->exportLimiter->create('alice')->consume()->isAccepted());
        self::assertSame(1, $consumer->limiter->peek($consumer->exportPolicy, 'alice')->remaining);
        self::assertSame(60, $consumer->targeted->create('alice')->consume(0)->getLimit());
    }

    public function testMessengerAndHttpClientFindAPolicyByTheNameOfItsService(): void
    {
        $application = $this->application(<<<'YAML'
            redis_rate_limit: { policies: { export: { policy: no_limit } } }
            services:
                messenger: { alias: limiter.export, public: true }
                login: { alias: redis_rate_limit.login.export, public: true }
            YAML);
        $application->boot();

        self::assertInstanceOf(LimiterFactory::class, $application->getContainer()->get('messenger'));
        self::assertInstanceOf(LoginRateLimiter::class, $application->getContainer()->get('login'));
    }
}
