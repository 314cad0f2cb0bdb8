<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use RedisRateLimit\Symfony\Testing\FakesRateLimits;
use RedisRateLimit\Testing\FakeLimiter;
use RedisRateLimit\Tests\Symfony\App\Application;
use RedisRateLimit\UnknownPolicy;
use Symfony\Bundle\FrameworkBundle\Test\KernelTestCase;

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

    public function testWithoutFakeTrueAskingForTheFakeThrows(): void
    {
        $test = $this->kernelTest($this->limited('    default: api'));
        $test->boot();
        self::assertStringContainsString('configure "redis_rate_limit: { fake: true }" under "when@test"', self::complaint($test));
    }

    /** createClient() would refuse if the test's own kernel were booted by then. */
    public function testWithoutFakeTrueItThrowsBeforeTheKernelIsBootedTooAndLeavesItUnbooted(): void
    {
        $test = $this->kernelTest($this->limited('    default: api'));
        self::assertStringContainsString('fake: true', self::complaint($test));
        self::assertFalse($test->isBooted());
    }

    public function testWithoutTheBundleAskingForTheFakeThrows(): void
    {
        self::assertStringContainsString('fake: true', self::complaint($this->kernelTest($this->application("framework: ~\n"))));
    }

    public function testAKernelTestWithTheFakeIsGivenIt(): void
    {
        $test = $this->kernelTest($this->application);
        self::assertSame($test->fake(), $test->boot()->fake());
    }

    /** @param KernelTestCase $test with the trait */
    private static function complaint(object $test): ?string
    {
        try {
            $test->fake();

            return null;
        } catch (\LogicException $e) {
            return $e->getMessage();
        }
    }

    /** A functional test as an application writes it, of this application. */
    private function kernelTest(Application $application): KernelTestCase
    {
        $test = new class ('test') extends KernelTestCase {
            use FakesRateLimits;

            public static Application $application;

            /** PHPUnit asks for the test that runs where a framework reports what is deprecated. */
            public function test(): void
            {
            }

            public function boot(): static
            {
                self::bootKernel();

                return $this;
            }

            public function isBooted(): bool
            {
                return self::$booted;
            }

            public function fake(): FakeLimiter
            {
                return $this->rateLimits();
            }

            public static function shutDown(): void
            {
                self::ensureKernelShutdown();
            }

            protected static function createKernel(array $options = []): Application
            {
                return self::$application;
            }
        };
        $test::$application = $application;
        $test::shutDown();

        return $test;
    }
}
