<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use RedisRateLimit\Tests\RedisTestCase;
use RedisRateLimit\Tests\Support\TemporaryDirectory;
use RedisRateLimit\Tests\Symfony\App\Application;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

/** Boots a real kernel with the test's configuration and sends it real requests. */
abstract class SymfonyTestCase extends RedisTestCase
{
    /** A token per second, bursts of 60; a second policy, tighter or not as tests need it. */
    protected const POLICIES = <<<'YAML'
            policies:
                api: { policy: token_bucket, limit: 60, rate: { amount: 60, interval: '1 minute' } }
                export: { policy: fixed_window, limit: 10, interval: '1 hour' }
        YAML;

    /** @var list<Application> */
    private array $applications = [];

    /** @var array<string, TemporaryDirectory> by what is in them: each container is compiled once */
    private static array $directories = [];

    public static function tearDownAfterClass(): void
    {
        self::$directories = [];
        parent::tearDownAfterClass();
    }

    protected function setUp(): void
    {
        parent::setUp();
        // For configurations that name its URL so, and for those that name none.
        $_ENV['REDIS_URL'] = self::$redis->url();
        ini_set('ratelimit.url', self::$redis->url());
        // A busy machine must not look like an absent Redis.
        ini_set('ratelimit.timeout_ms', '10000');
    }

    protected function tearDown(): void
    {
        array_map(static fn (Application $application) => $application->shutdown(), $this->applications);
        $this->applications = [];
        ini_restore('ratelimit.timeout_ms');
        ini_restore('ratelimit.url');
        parent::tearDown();
    }

    /** @param string $yaml the whole configuration file */
    protected function application(string $yaml, bool $full = false): Application
    {
        $directory = self::$directories[$yaml . ($full ? ' full' : '')] ??= new TemporaryDirectory('ratelimit-symfony');
        $directory->write('config.yaml', $yaml);

        return $this->applications[] = new Application($directory->path, $full);
    }

    /** @param string $settings further lines below redis_rate_limit, indented by four spaces */
    protected function limited(string $settings, string $policies = self::POLICIES, bool $full = false): Application
    {
        return $this->application("redis_rate_limit:\n    url: '%env(REDIS_URL)%'\n$settings\n$policies\n", $full);
    }

    /** @param array<string, string> $server such as HTTP_ACCEPT or REMOTE_ADDR */
    protected static function request(Application $application, string $path, string $method = 'GET', array $server = [], array $parameters = []): Response
    {
        $request = Request::create($path, $method, $parameters, [], [], $server + ['HTTP_ACCEPT' => '*/*']);
        $response = $application->handle($request);
        $application->terminate($request, $response);

        return $response;
    }

    protected static function assertRemaining(?int $remaining, Response $response): void
    {
        self::assertSame($remaining === null ? null : (string) $remaining, $response->headers->get('X-RateLimit-Remaining'));
    }
}
