<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use RedisRateLimit\Tests\Support\MarkdownBlock;

/** The limiter, policy and routes of docs/migration.md: whoever decides, a client sees the same. */
final class MigrationTest extends ApplicationTestCase
{
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
        $this->assertSame([[200, '2'], [200, '1'], [200, '0'], [429, '0']], $before);
        $this->assertCount(2, self::$redis->keys());
    }

    public function testAPolicyOnTheRouteDoesTheSame(): void
    {
        $policies = (eval('return [' . MarkdownBlock::with('docs/migration.md', 'php', "'policies' =>") . '];'))['policies'];

        $answers = $this->answers(MarkdownBlock::with('docs/migration.md', 'php', 'ratelimit:uploads'), ['ratelimit.policies' => $policies]);

        $this->assertSame([[200, '2'], [200, '1'], [200, '0'], [429, '0']], $answers);
    }

    /**
     * Status and X-RateLimit-Remaining of four uploads to an application with this configuration and these routes.
     *
     * @return list<array{int, string}>
     */
    private function answers(string $routes, array $config = []): array
    {
        $this->tearDown();
        $this->changed = $config;
        $this->setUp();
        eval(self::USES . $routes);
        $answers = [];
        for ($call = 1; $call <= 4; $call++) {
            $response = $this->post('/uploads');
            $answers[] = [$response->status(), $response->headers->get('X-RateLimit-Remaining')];
        }

        return $answers;
    }
}
