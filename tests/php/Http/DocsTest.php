<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Http;

use Nyholm\Psr7\Factory\Psr17Factory;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Log\NullLogger;
use RedisRateLimit\Http\RateLimitMiddleware;
use RedisRateLimit\Tests\RedisTestCase;
use RedisRateLimit\Tests\Support\MarkdownBlock;

require_once __DIR__ . '/psr15.php';

/** The example of docs/psr15.md, run as it stands there but for the Redis. */
final class DocsTest extends RedisTestCase
{
    public function testTheExample(): void
    {
        ini_set('ratelimit.timeout_ms', '10000');
        [$app, $route] = self::stacks(MarkdownBlock::with('docs/psr15.md', 'php', '$app->add'));
        ini_restore('ratelimit.timeout_ms');

        foreach (['5', '0'] as $left) {
            $answer = self::send(...$app, ...$route);
            self::assertSame([200, '10', $left], [$answer->getStatusCode(), $answer->getHeaderLine('X-RateLimit-Limit'), $answer->getHeaderLine('X-RateLimit-Remaining')]);
            self::assertStringContainsString("\"export\";r=$left", $answer->getHeaderLine('RateLimit'));
        }
        $refused = self::send(...$app, ...$route);
        self::assertSame([429, '3600'], [$refused->getStatusCode(), $refused->getHeaderLine('Retry-After')]);

        $answer = self::send(...$app);
        self::assertSame(['100', '97'], [$answer->getHeaderLine('X-RateLimit-Limit'), $answer->getHeaderLine('X-RateLimit-Remaining')]);
        self::assertFalse($answer->hasHeader('RateLimit'));
        self::assertSame(['rl:api:ip:192.0.2.7:global', 'rl:export:ip:192.0.2.7:global'], self::$redis->keys());
    }

    public function testTheTableHasEachOptionalArgument(): void
    {
        preg_match_all('/^\| `(\w+)` \|/m', file_get_contents(dirname(__DIR__, 3) . '/docs/psr15.md'), $rows);
        $parameters = (new \ReflectionMethod(RateLimitMiddleware::class, '__construct'))->getParameters();
        $optional = array_filter($parameters, static fn (\ReflectionParameter $parameter): bool => $parameter->isOptional());

        self::assertSame($rows[1], array_values(array_map(static fn (\ReflectionParameter $parameter): string => $parameter->name, $optional)));
    }

    /** @return array{list<MiddlewareInterface>, list<MiddlewareInterface>} what the code adds to a Slim application, and to its one route */
    private static function stacks(string $code): array
    {
        $logger = new NullLogger();
        $responseFactory = new Psr17Factory();
        $app = new class () {
            /** @var list<MiddlewareInterface> */
            public array $added = [];
            public ?self $route = null;

            public function add(MiddlewareInterface $middleware): void
            {
                $this->added[] = $middleware;
            }

            public function post(string $path, string $handler): self
            {
                return $this->route = new self();
            }
        };
        eval(str_replace('redis://127.0.0.1:6379', self::$redis->tcpUrl(), $code));

        return [$app->added, $app->route->added];
    }

    private static function send(MiddlewareInterface ...$stack): ResponseInterface
    {
        $factory = new Psr17Factory();

        return (new Stack(static fn () => $factory->createResponse(), ...$stack))->handle($factory->createServerRequest('POST', '/exports', ['REMOTE_ADDR' => '192.0.2.7']));
    }
}
