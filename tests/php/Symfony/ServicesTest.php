<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use PHPUnit\Framework\Attributes\TestWith;
use RedisRateLimit\NativeLimiter;
use RedisRateLimit\Symfony\DependencyInjection\RedisRateLimitExtension;
use RedisRateLimit\Symfony\EventListener\DecisionReporter;
use RedisRateLimit\Symfony\Limiter\LimiterFactory;
use RedisRateLimit\Symfony\Limiter\LoginRateLimiter;
use RedisRateLimit\Tests\Symfony\App\AmbiguousConsumer;
use RedisRateLimit\Tests\Symfony\App\Application;
use RedisRateLimit\Tests\Symfony\App\Consumer;
use RedisRateLimit\Tests\Symfony\App\SymfonyTypeConsumer;
use Symfony\Component\Config\Definition\Exception\InvalidConfigurationException;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Exception\RuntimeException;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\RateLimiter\RateLimiterFactoryInterface;

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

    /**
     * @testWith ["ofPolicy", "$apiV2Policy", "redis_rate_limit.policy.api-v2"]
     *           ["ofLimiter", "$apiV2Limiter", "limiter.api-v2"]
     *           ["ofTarget", "$apiV2Limiter", "limiter.api-v2"]
     */
    #[TestWith(['ofPolicy', '$apiV2Policy', 'redis_rate_limit.policy.api-v2'])]
    #[TestWith(['ofLimiter', '$apiV2Limiter', 'limiter.api-v2'])]
    #[TestWith(['ofTarget', '$apiV2Limiter', 'limiter.api-v2'])]
    public function testAnArgumentThatCanMeanTwoPoliciesFailsTheBuild(string $factory, string $argument, string $service): void
    {
        $consumer = AmbiguousConsumer::class;
        $application = $this->ambiguous("consumer: { class: $consumer, factory: [$consumer, $factory], public: true, autowire: true }");

        $this->expectException(RuntimeException::class);
        $this->expectExceptionMessage(
            "The argument \"$argument\" can mean each of the rate limit policies \"api_v2\", \"api-v2\": rename all but one, or name the service, such as \"$service\".",
        );
        $application->boot();
    }

    public function testPoliciesThatNoArgumentCanTellApartAreUsedByTheirNames(): void
    {
        $application = $this->ambiguous('first: { alias: limiter.api_v2, public: true }');

        self::assertSame('3', self::request($application, '/hello')->headers->get('X-RateLimit-Limit'));
        self::assertSame('4', self::request($application, '/parent')->headers->get('X-RateLimit-Limit'));
        self::assertSame(3, $application->getContainer()->get('first')->create()->consume()->getLimit());
    }

    private function ambiguous(string $service): Application
    {
        return $this->application(<<<YAML
            redis_rate_limit:
                url: '%env(REDIS_URL)%'
                routes: { hello: api_v2, parent: api-v2 }
                policies:
                    api_v2: { policy: fixed_window, limit: 3, interval: 60 }
                    api-v2: { policy: fixed_window, limit: 4, interval: 60 }
            services:
                $service
            YAML);
    }

    /**
     * @testWith ["ofService"]
     *           ["ofTarget"]
     */
    #[TestWith(['ofService'])]
    #[TestWith(['ofTarget'])]
    public function testSymfonysFinalTypeFailsTheBuildAndNamesOurs(string $factory): void
    {
        $consumer = SymfonyTypeConsumer::class;
        $this->expectException(RuntimeException::class);
        $this->expectExceptionMessage('The limiter "export_v2" is configured under redis_rate_limit and no Symfony\Component\RateLimiter\RateLimiterFactory: type-hint RedisRateLimit\Symfony\Limiter\LimiterFactory instead.');

        $this->beside("consumer: { class: $consumer, factory: [$consumer, $factory], public: true, autowire: true }")->boot();
    }

    public function testAControllersArgumentOfSymfonysFinalTypeNamesOursToo(): void
    {
        $consumer = SymfonyTypeConsumer::class;
        $application = $this->beside("consumer: { class: $consumer, public: true, tags: [controller.service_arguments] }");
        $request = Request::create('/');
        $request->attributes->set('_controller', 'consumer::action');

        $this->expectException(\Throwable::class);
        $this->expectExceptionMessage('type-hint RedisRateLimit\Symfony\Limiter\LimiterFactory instead');
        $application->handle($request, catch: false);
    }

    public function testALimiterThatStaysWithTheFrameworkKeepsItsType(): void
    {
        $consumer = SymfonyTypeConsumer::class;
        $application = $this->beside("consumer: { class: $consumer, factory: [$consumer, ofOther], public: true, autowire: true }");
        $application->boot();

        self::assertInstanceOf($consumer, $application->getContainer()->get('consumer'));
    }

    public function testALimiterThatIsConfiguredTwiceFailsTheBuild(): void
    {
        $this->expectException(InvalidConfigurationException::class);
        $this->expectExceptionMessage('The limiter "other" is configured under framework.rate_limiter and under redis_rate_limit, and both would be the service "limiter.other"');

        $this->beside('', other: 'other')->boot();
    }

    /** @param string $other name of a second policy, beside framework.rate_limiter's "other" */
    private function beside(string $service, string $other = 'api'): Application
    {
        return $this->application(<<<YAML
            framework:
                rate_limiter:
                    other: { policy: fixed_window, limit: 3, interval: '1 minute', lock_factory: null }
            redis_rate_limit:
                url: '%env(REDIS_URL)%'
                policies:
                    export_v2: { policy: fixed_window, limit: 3, interval: 60 }
                    $other: { policy: fixed_window, limit: 3, interval: 60 }
            services:
                $service
            YAML);
    }

    /** The calls of Symfony's Worker: it asks, waits where it is refused, and asks again. */
    public function testMessengersWorkerWaitsForATokenBucketFoundByTheNameOfItsService(): void
    {
        $limiter = $this->service('limiter.export', '{ policy: token_bucket, limit: 2, rate: { amount: 1, interval: 10 ms } }')->create();
        for ($accepted = 0; $limiter->consume()->isAccepted(); $accepted++);
        self::assertSame(2, $accepted);

        $reservation = $limiter->reserve();
        self::assertGreaterThan(0.0, $reservation->getWaitDuration());
        self::assertLessThanOrEqual(0.01, $reservation->getWaitDuration());
        $reservation->wait();
        $this->clockAt(0.02); // 10 ms pay the debt, and 10 ms later there is another token
        self::assertTrue($limiter->consume()->isAccepted());
        self::assertFalse($limiter->consume()->isAccepted());
    }

    /** The calls of Symfony's ThrottlingHttpClient: a reservation per request. */
    public function testHttpClientIsGivenTheWaitsOfALeakyBucket(): void
    {
        $limiter = $this->service('limiter.export', '{ policy: leaky_bucket, limit: 3, rate: { amount: 1, interval: 10 } }')->create();

        foreach ([0, 10, 20] as $wait) {
            self::assertEqualsWithDelta($wait, $limiter->reserve()->getWaitDuration(), 5.0);
        }
    }

    public function testLoginThrottlingFindsAPolicyByTheNameOfItsService(): void
    {
        self::assertInstanceOf(LoginRateLimiter::class, $this->service('redis_rate_limit.login.export', '{ policy: no_limit }'));
    }

    public function testAFactoryIsOfSymfonysInterfaceWhereThereIsOne(): void
    {
        $container = new ContainerBuilder();
        $container->setParameter('kernel.debug', false);
        (new RedisRateLimitExtension())->load([['policies' => ['export' => ['policy' => 'no_limit']]]], $container);
        $types = interface_exists(RateLimiterFactoryInterface::class) ? [LimiterFactory::class, RateLimiterFactoryInterface::class] : [LimiterFactory::class];

        foreach ($types as $type) {
            self::assertInstanceOf($type, $this->service('limiter.export', '{ policy: no_limit }'));
            self::assertSame('limiter.export', (string) $container->getAlias("$type \$exportLimiter"));
        }
        self::assertSame(['limiter.export' => [['name' => 'export']]], $container->findTaggedServiceIds('rate_limiter'));
    }

    public function testWhatLogsDoesSoInItsOwnChannel(): void
    {
        $container = new ContainerBuilder();
        $container->setParameter('kernel.debug', false);
        (new RedisRateLimitExtension())->load([['policies' => ['export' => ['policy' => 'no_limit']]]], $container);
        $channel = [['channel' => 'rate_limit']];

        self::assertEquals(
            [NativeLimiter::class => $channel, DecisionReporter::class => $channel, 'redis_rate_limit.login.export' => $channel],
            $container->findTaggedServiceIds('monolog.logger'),
        );
    }

    /** Of an application whose policy "export" is this one. */
    private function service(string $id, string $policy): object
    {
        $application = $this->application(<<<YAML
            redis_rate_limit: { url: '%env(REDIS_URL)%', policies: { export: $policy } }
            services: { asked: { alias: $id, public: true } }
            YAML);
        $application->boot();

        return $application->getContainer()->get('asked');
    }
}
