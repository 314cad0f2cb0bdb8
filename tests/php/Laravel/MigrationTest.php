<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use RedisRateLimit\Tests\Support\MarkdownBlock;

/** The limiter, policy and routes of docs/migration.md: whoever decides, a client sees the same. */
final class MigrationTest extends ApplicationTestCase
{
    private const ANSWERS = [[200, '2', 'stored'], [200, '1', 'stored'], [200, '0', 'stored'], [429, '0', 'Too many uploads.']];

    private const USES = 'use Illuminate\Cache\RateLimiting\Limit; use Illuminate\Http\Request;'
        . ' use Illuminate\Support\Facades\RateLimiter; use Illuminate\Support\Facades\Route; ';

    /** @var array<string, mixed> */
    private array $changed = [];

    protected function config(): array
    {
        return $this->changed + parent::config();
    }

    public function testOneLineOfEnvironmentChangesNoAnswer(): void
    {
        $limiter = MarkdownBlock::with('docs/migration.md', 'php', 'RateLimiter::for');
        $before = $this->answers($limiter);
        $this->assertSame([], self::$redis->keys());

        $this->assertSame($before, $this->answers($limiter, ['ratelimit.replace_throttle' => true]));
        $this->assertSame(self::ANSWERS, $before);
        $this->assertCount(2, self::$redis->keys());
    }

    public function testAPolicyOnTheRouteDoesTheSame(): void
    {
        $config = eval('return [' . MarkdownBlock::with('docs/migration.md', 'php', "'policies' =>") . '];');

        $this->assertSame(self::ANSWERS, $this->answersOfThePolicy(['ratelimit.tenants' => $config['tenants'], 'ratelimit.policies' => $config['policies']]));
    }

    public function testWithoutRedisItsAnswerIsNotThatTheClientCameTooOften(): void
    {
        $closed = ['policy' => 'fixed_window', 'limit' => 3, 'interval' => '1 minute', 'on_failure' => 'closed'];
        $config = ['ratelimit.url' => 'unix:///nowhere.sock', 'ratelimit.policies' => ['uploads' => $closed]];

        $this->assertSame([503, null, 'Try again later.'], $this->answersOfThePolicy($config)[0]);
    }

    /**
     * @param array<string, mixed> $config
     *
     * @return list<array{int, ?string, string}>
     */
    private function answersOfThePolicy(array $config): array
    {
        $route = MarkdownBlock::with('docs/migration.md', 'php', 'ratelimit:uploads');

        return $this->answers($route, $config, MarkdownBlock::with('docs/migration.md', 'php', 'refuseUsing'));
    }

    /**
     * Status, X-RateLimit-Remaining and text of four uploads to an application with this configuration and these routes, by
     * a client that makes up a token for each.
     *
     * @return list<array{int, ?string, string}>
     */
    private function answers(string $routes, array $config = [], string $provider = ''): array
    {
        $this->tearDown();
        $this->changed = $config;
        $this->setUp();
        eval(self::USES . $routes);
        eval($provider);
        $answers = [];
        for ($call = 1; $call <= 4; $call++) {
            $response = $this->post('/uploads', [], ['Authorization' => "Bearer made-up-$call"]);
            $answers[] = [$response->status(), $response->headers->get('X-RateLimit-Remaining'), $response->getContent()];
        }

        return $answers;
    }
}
