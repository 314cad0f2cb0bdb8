<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use RedisRateLimit\Limiter;
use RedisRateLimit\Policy;
use RedisRateLimit\Symfony\Limiter\LimiterFactory;
use RedisRateLimit\Symfony\Testing\FakesRateLimits;
use RedisRateLimit\Tests\Support\MarkdownBlock;
use RedisRateLimit\Tests\Symfony\App\ClientTestCase;
use RedisRateLimit\Tests\Symfony\App\Controller;
use Symfony\Component\HttpFoundation\Request;

/** The examples of docs/symfony.md, run as they stand there; "// …" becomes what a reader would write. */
final class DocsTest extends SymfonyTestCase
{
    use FakesRateLimits;

    private const LIMITS = '{ policy: fixed_window, limit: 10, interval: 1 hour }';

    public function testRoutes(): void
    {
        $policies = implode(array_map(static fn (string $name): string => "        $name: " . self::LIMITS . "\n", ['api', 'export', 'admin', 'webhooks']));
        $application = $this->application(MarkdownBlock::with('docs/symfony.md', 'yaml', 'admin_*') . "    policies:\n$policies");
        $charged = function (string $route, string $path = '/x') use ($application): array {
            self::$redis->command('FLUSHALL');
            $application->handle(self::runBy(Controller::class . '::hello', ['_route' => $route], path: $path));

            return array_map(static fn (string $key): string => explode(':', $key)[1], self::$redis->keys());
        };

        self::assertSame([], $charged('health'));
        self::assertSame(['api', 'export'], $charged('export'));
        self::assertSame(['admin'], $charged('admin_users'));
        self::assertSame(['webhooks'], $charged('any', '/webhooks/stripe'));
        self::assertSame(['api'], $charged('any'));
    }

    public function testAttributes(): void
    {
        $application = $this->limited('', self::POLICIES . "\n        burst: " . self::LIMITS);
        $code = MarkdownBlock::with('docs/symfony.md', 'php', 'ExportController');
        eval('namespace RedisRateLimit\Tests\Symfony\Documented; ' . str_replace('// …', 'return new Response("made");', $code));
        $create = Documented\ExportController::class . '::create';

        self::assertSame('made', $application->handle(self::runBy($create, ['project' => 'apollo']))->getContent());
        self::assertSame(['rl:api:ip:127.0.0.1:global', 'rl:burst:ip:127.0.0.1:global'], self::$redis->keys());

        self::assertRemaining(5, $application->handle(self::runBy($create, ['project' => 'apollo'], 'POST')));
        self::assertContains('rl:export:ip:127.0.0.1:project-apollo', self::$redis->keys());
    }

    public function testServices(): void
    {
        eval('namespace RedisRateLimit\Tests\Symfony\Documented; ' . MarkdownBlock::with('docs/symfony.md', 'php', 'Exporter'));
        $application = $this->limited('', self::POLICIES . "\nservices: { RedisRateLimit\\Tests\\Symfony\\Documented\\Exporter: { public: true, autowire: true } }");
        $application->boot();
        $exporter = $application->getContainer()->get(Documented\Exporter::class);
        [$factory, $limiter, $policy] = array_map(
            static fn (string $property): object => (new \ReflectionProperty($exporter, $property))->getValue($exporter),
            ['exportLimiter', 'limiter', 'policy'],
        );

        self::assertInstanceOf(LimiterFactory::class, $factory);
        self::assertInstanceOf(Limiter::class, $limiter);
        self::assertInstanceOf(Policy::class, $policy);
        self::assertTrue($factory->create('alice')->consume(4)->isAccepted());
        self::assertSame(6, $limiter->peek($policy, 'alice')->remaining);
        $factory->create('alice')->reset();
        self::assertSame(10, $limiter->peek($policy, 'alice')->remaining);
    }

    public function testAFunctionalTest(): void
    {
        $_ENV['REDIS_URL'] = 'redis://nowhere.invalid';
        ClientTestCase::$application = $this->limited("    routes: { hello: export }", self::POLICIES . "\n" . MarkdownBlock::with('docs/symfony.md', 'yaml', 'when@test'));
        $code = strtr(MarkdownBlock::with('docs/symfony.md', 'php', 'WebTestCase'), [
            // Debian has no BrowserKit.
            'use Symfony\Bundle\FrameworkBundle\Test\WebTestCase;' => 'use RedisRateLimit\Tests\Symfony\App\ClientTestCase as WebTestCase;',
            '// …' => '$status = array_map(fn () => $client->request("GET", "/hello")->getStatusCode(), [1, 2, 3]); self::assertSame([200, 200, 429], $status);',
        ]);
        eval("namespace RedisRateLimit\Tests\Symfony\Documented; $code");

        (new Documented\ExportTest('testTheThirdExportIsRefused'))->testTheThirdExportIsRefused();
    }

    /** @param array<string, string> $attributes */
    private static function runBy(string $controller, array $attributes, string $method = 'GET', string $path = '/x'): Request
    {
        $request = Request::create($path, $method);
        $request->attributes->add(['_controller' => $controller] + $attributes);

        return $request;
    }
}
