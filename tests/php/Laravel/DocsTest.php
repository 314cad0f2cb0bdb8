<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Auth\GenericUser;
use Illuminate\Cache\RateLimiting\Limit;
use Illuminate\Http\RedirectResponse;
use Illuminate\Pipeline\Pipeline;
use Illuminate\Queue\Jobs\SyncJob;
use Illuminate\Support\Facades\RateLimiter;
use Illuminate\Support\Facades\Route;
use RedisRateLimit\Laravel\Facades\RateLimit;
use RedisRateLimit\Tests\Support\MarkdownBlock;
use RedisRateLimit\Tests\Support\Php;

/** The examples of docs/laravel.md, run as they stand there. */
final class DocsTest extends ApplicationTestCase
{
    private const USES = 'use Illuminate\Http\Request; use Illuminate\Support\Facades\Route;'
        . ' use RedisRateLimit\Tests\Laravel\AnyController as OrderController; use RedisRateLimit\Tests\Laravel\AnyController as ExportController;'
        . ' use RedisRateLimit\Tests\Laravel\AnyController as ImportController; ';

    protected function config(): array
    {
        $policies = MarkdownBlock::with('docs/laravel.md', 'php', "'policies' =>");

        return (eval("return ['ratelimit.policies' => [$policies]['policies']];")) + ['ratelimit.replace_throttle' => true] + parent::config();
    }

    protected function setUp(): void
    {
        parent::setUp();
        eval(self::USES . MarkdownBlock::with('docs/laravel.md', 'php', 'Route::middleware'));
    }

    public function testTheRoutesTakeWhatTheCommentsBesideThemSay(): void
    {
        $this->get('/orders')->assertOk()->assertHeader('X-RateLimit-Limit', '100')->assertHeader('X-RateLimit-Remaining', '99');
        $this->post('/exports')->assertOk()->assertHeader('X-RateLimit-Limit', '10')->assertHeader('X-RateLimit-Remaining', '5');
        $this->assertSame([98, 5, 1000], $this->left());
        $this->post('/imports')->assertOk();
        $this->assertSame([97, 3, 999], $this->left());
    }

    public function testAnAnswerOfTheApplication(): void
    {
        $views = "{$this->application->path}/resources/views/errors";
        mkdir($views);
        file_put_contents("$views/429.blade.php", 'come back later');

        eval(MarkdownBlock::with('docs/laravel.md', 'php', 'refuseUsing'));

        $this->post('/exports')->assertOk();
        $this->post('/exports')->assertOk();
        $answer = $this->post('/exports')->assertStatus(429)->assertHeader('Retry-After', '3600');
        $this->assertSame('come back later', $answer->getContent());
    }

    public function testATenantOfTheApplication(): void
    {
        eval('use Illuminate\Http\Request; use RedisRateLimit\Laravel\Facades\RateLimit; ' . MarkdownBlock::with('docs/laravel.md', 'php', 'resolveTenantUsing'));

        $this->get('/orders')->assertOk();
        $this->actingAs(new GenericUser(['id' => 42, 'team_id' => 7]));
        $this->get('/orders')->assertOk();
        $this->assertSame(['rl:api:ip:127.0.0.1:global', 'rl:api:team:7:global'], self::$redis->keys());
    }

    public function testTheFacade(): void
    {
        $code = MarkdownBlock::with('docs/laravel.md', 'php', '::consume');
        $export = static fn (object $team): ?RedirectResponse => eval($code);

        $this->assertNull($export((object) ['id' => 7]), 'it passed');
        $this->assertSame(10, RateLimit::peek('export', 'team:7')->remaining, 'it was given back');
        RateLimit::consume('export', 'team:7', cost: 8);
        $this->assertSame('Too many requests. Try again in 3600 seconds.', $export((object) ['id' => 7])->getSession()->get('errors')->first());
    }

    public function testAJob(): void
    {
        eval('namespace RedisRateLimit\Tests\Laravel\Documented; ' . MarkdownBlock::with('docs/laravel.md', 'php', 'ShouldQueue'));
        $queued = new SyncJob($this->app, '{}', 'sync', 'sync');
        $job = (new Documented\ExportOrders(7))->setJob($queued);
        $run = fn (): ?string => (new Pipeline($this->app))->send($job)->through($job->middleware())->then(static fn (): string => 'ran');

        $this->assertSame(array_fill(0, 10, 'ran'), array_map($run, range(1, 10)));
        $this->assertSame(['rl:export:team:7:global'], self::$redis->keys());
        $this->assertFalse($queued->isReleased());
        $this->assertNull($run());
        $this->assertTrue($queued->isReleased());
    }

    public function testEachVariableOfTheEnvironmentReachesItsSetting(): void
    {
        preg_match_all('/^\| `(\w+)` \| `(RATELIMIT_\w+)` \|/m', file_get_contents(dirname(__DIR__, 3) . '/docs/laravel.md'), $rows);
        $expected = array_combine($rows[1], array_map(static fn (string $key): string => "the $key", $rows[1]));
        $environment = implode(array_map(static fn (string $key, string $variable): string => "$variable=\"the $key\"\n", $rows[1], $rows[2]));

        $expected['replace_throttle'] = false; // a switch: that text is no yes
        $this->assertSame($expected, array_intersect_key(self::configured($environment), $expected));
        $this->assertSame(['tenants', 'policies'], array_keys(array_diff_key(self::configured(''), $expected)), 'what no variable sets');
    }

    public function testOneLineOfEnvironmentReplacesThrottle(): void
    {
        $line = MarkdownBlock::with('docs/laravel.md', '', 'RATELIMIT_REPLACE_THROTTLE');

        $this->assertSame([false, true], [self::configured('')['replace_throttle'], self::configured($line)['replace_throttle']]);
        $this->assertSame($line, MarkdownBlock::with('docs/migration.md', '', 'RATELIMIT_REPLACE_THROTTLE'));
    }

    public function testTheSwitchTakesTheUsualWords(): void
    {
        foreach (['true' => true, 'on' => true, 'yes' => true, '1' => true, 'false' => false, 'off' => false, 'no' => false, '0' => false] as $word => $on) {
            $this->assertSame($on, self::configured("RATELIMIT_REPLACE_THROTTLE=$word")['replace_throttle'], (string) $word);
        }
    }

    public function testTheFake(): void
    {
        $this->actingAs(new GenericUser(['id' => 42]));

        eval('use RedisRateLimit\Laravel\Facades\RateLimit; ' . MarkdownBlock::with('docs/laravel.md', 'php', 'RateLimit::fake();'));

        $this->post('/exports')->assertOk();
        $this->post('/exports')->assertOk();
        $this->post('/exports')->assertStatus(429);
        RateLimit::allow('export');
        $this->post('/exports')->assertOk();
        RateLimit::deny();
        $this->get('/orders')->assertStatus(429);
        $this->assertSame([], self::$redis->keys());
    }

    public function testTheFakeOfThrottle(): void
    {
        RateLimiter::for('api', static fn (): Limit => Limit::perMinute(60));
        Route::get('/search', static fn (): string => '')->middleware('throttle:api');

        eval('use RedisRateLimit\Laravel\Facades\RateLimit; ' . MarkdownBlock::with('docs/laravel.md', 'php', 'RateLimit::fake()->'));

        $this->assertSame([], self::$redis->keys());
    }

    /** @return array<string, mixed> config/ratelimit.php in an application with this .env; in a process of its own, which keeps it */
    private static function configured(string $environment): array
    {
        $application = new Application();
        file_put_contents("$application->path/.env", $environment);
        $shown = Php::invoke(['-r', <<<'PHP'
            require "$argv[1]/autoload.php";
            $app = require "$argv[1]/bootstrap/app.php";
            $app->make(Illuminate\Contracts\Console\Kernel::class)->bootstrap();
            echo json_encode($app['config']['ratelimit']);
            PHP, '--', $application->path], ['error_reporting' => '8191']);

        return json_decode($shown['stdout'], true) ?? self::fail($shown['stdout'] . $shown['stderr']);
    }

    /** @return list<int> what a guest has left of each documented policy */
    private function left(): array
    {
        return array_map(static fn (string $policy): int => RateLimit::peek($policy, 'ip:127.0.0.1')->remaining, ['api', 'export', 'daily']);
    }
}
