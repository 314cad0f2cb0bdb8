<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Contracts\Http\Kernel;
use Illuminate\Routing\Middleware\ThrottleRequests;
use Illuminate\Routing\Middleware\ThrottleRequestsWithRedis;
use Illuminate\Support\Facades\Artisan;
use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Laravel\Facades\RateLimit;
use RedisRateLimit\Laravel\Middleware\ThrottleRequests as ReplacedThrottleRequests;
use RedisRateLimit\Limiter;

final class CommandTest extends ApplicationTestCase
{
    public function testListShowsEveryPolicy(): void
    {
        [$status, $output] = $this->command('ratelimit:list');
        $this->assertSame(0, $status);
        $this->assertMatchesRegularExpression('/\| api +\| token_bucket +\| 3 +\| 60 s +\| rate: \{"amount":3,"interval":60\}, on_failure: open +\|/', $output);
        $this->assertMatchesRegularExpression('/\| closed +\| fixed_window +\| 1 +\| 60 s +\| on_failure: closed +\|/', $output);
        $policies = json_decode($this->command('ratelimit:list', ['--json' => true])[1], true);
        $this->assertSame(['api', 'daily', 'crowd', 'closed'], array_keys($policies));
    }

    public function testListFindsWhatIsWrong(): void
    {
        $this->app['config']->set('ratelimit.policies.bad', ['policy' => 'fixed_windw']);
        [$status, $output] = $this->command('ratelimit:list');
        $this->assertSame(2, $status);
        $this->assertStringContainsString('fixed_windw', $output);
    }

    /**
     * @dataProvider throttles
     *
     * @param array<string, mixed> $config
     */
    #[DataProvider('throttles')]
    public function testListSaysWhoSettlesThrottle(array $config, string $said): void
    {
        $this->application = new Application($config + $this->config());
        $table = $this->application->artisan('ratelimit:list');
        $this->assertStringEndsWith("+\n\"throttle:\" is settled by $said.\n", $table['stdout']);
        $json = $this->application->artisan('ratelimit:list', '--json');
        $this->assertSame("\"throttle:\" is settled by $said.\n", $json['stderr']);
        $this->assertSame(['api', 'daily', 'crowd', 'closed'], array_keys(json_decode($json['stdout'], true)));
    }

    /** @return array<string, array{array<string, mixed>, string}> */
    public static function throttles(): array
    {
        $off = ThrottleRequests::class . ', for replace_throttle in config/ratelimit.php (RATELIMIT_REPLACE_THROTTLE) is off';

        return [
            'off' => [[], $off],
            'empty, as in .env' => [['ratelimit.replace_throttle' => ''], $off],
            'misspelt' => [['ratelimit.replace_throtle' => true], $off],
            'on' => [['ratelimit.replace_throttle' => true], 'the extension'],
        ];
    }

    /** @dataProvider aliases */
    #[DataProvider('aliases')]
    public function testListNamesAnAliasOfTheApplicationsOwn(string|\Closure|null $alias, string $said): void
    {
        $this->app['config']->set('ratelimit.replace_throttle', true);
        $this->app->make(Kernel::class);
        $this->app['router']->aliasMiddleware('throttle', $alias);
        $output = $this->command('ratelimit:list')[1];
        $this->assertStringEndsWith($said === '' ? "+\n" : "+\n\"throttle:\" is settled by $said.\n", $output);
    }

    /** @return array<string, array{string|\Closure|null, string}> */
    public static function aliases(): array
    {
        $own = ', which replace_throttle does not replace: it replaces ' . ThrottleRequests::class;

        return [
            'of another class' => ['App\Http\Middleware\FloorMiddleware', "App\\Http\\Middleware\\FloorMiddleware$own"],
            'a closure' => [static fn () => null, "Closure$own"],
            "Laravel's for Redis" => ['\\' . ThrottleRequestsWithRedis::class, 'the extension'],
            "the extension's" => [ReplacedThrottleRequests::class, 'the extension'],
            'none' => [null, ''],
        ];
    }

    public function testPeekTakesNothing(): void
    {
        RateLimit::consume('daily', 'user:42');
        foreach ([1, 1] as $remaining) {
            [$status, $output] = $this->command('ratelimit:peek', ['policy' => 'daily', 'tenant' => 'user:42']);
            $this->assertSame(0, $status);
            $this->assertMatchesRegularExpression("/\\| daily +\\| 2 +\\| $remaining +\\| - +\\| 2023-11-16 00:00:00 +\\|/", $output);
        }
        $decision = json_decode($this->command('ratelimit:peek', ['policy' => 'daily', 'tenant' => 'user:42', '--json' => true])[1], true);
        $this->assertSame(1, $decision['remaining']);
    }

    public function testReset(): void
    {
        $arguments = ['policy' => 'daily', 'tenant' => 'user:42', 'scope' => 'exports'];
        RateLimit::consume('daily', 'user:42', 'exports', 2);
        $this->assertSame([0, "Reset.\n"], $this->command('ratelimit:reset', $arguments));
        $this->assertSame([0, "There was nothing to reset.\n"], $this->command('ratelimit:reset', $arguments));
        $this->assertTrue(RateLimit::peek('daily', 'user:42', 'exports', 2)->allowed);
    }

    public function testHistory(): void
    {
        RateLimit::consume('crowd', 'user:42');
        $this->pass(1.5);
        RateLimit::consume('crowd', 'user:42');
        $arguments = ['policy' => 'crowd', 'tenant' => 'user:42'];
        [$status, $output] = $this->command('ratelimit:history', $arguments);
        $this->assertSame(0, $status);
        $this->assertMatchesRegularExpression('/2023-11-15 00:00:00.000000 \| 1 .*2023-11-15 00:00:01.500000 \| 1 /s', $output);
        $entries = json_decode($this->command('ratelimit:history', $arguments + ['--json' => true])[1], true);
        $this->assertSame([self::T0, self::T0 + 1.5], array_column($entries, 'at'));
    }

    public function testHistoryShowsHostileRequestIdsForWhatTheyAre(): void
    {
        $this->app['config']->set('ratelimit.policies.audited', ['policy' => 'sliding_log', 'limit' => 5, 'interval' => 60, 'audit' => true]);
        foreach (["\e[2J<error>a</error>", "\xff\\"] as $id) {
            $this->app->make(Limiter::class)->consume(RateLimit::policy('audited'), 'user:42', requestId: $id);
        }
        $arguments = ['policy' => 'audited', 'tenant' => 'user:42'];
        $table = $this->command('ratelimit:history', $arguments)[1];
        $this->assertStringContainsString('\x1B[2J<error>a</error>', $table);
        $this->assertStringContainsString('\xFF\x5C', $table);
        $entries = json_decode($this->command('ratelimit:history', $arguments + ['--json' => true])[1], true);
        $this->assertSame(["\e[2J<error>a</error>", "\u{fffd}\\"], array_column($entries, 'request_id'));
    }

    public function testPing(): void
    {
        [$status, $output] = $this->command('ratelimit:ping');
        $this->assertSame(0, $status);
        $this->assertMatchesRegularExpression('/^\d+\.\d{3} ms$/', trim($output));
    }

    public function testWithoutRedisEachCommandSaysWhyItFails(): void
    {
        $this->app['config']->set('ratelimit.url', "unix://{$this->application->path}/no.sock");
        $commands = [
            'ratelimit:ping' => [],
            'ratelimit:peek' => ['policy' => 'api', 'tenant' => 'user:42'],
            'ratelimit:reset' => ['policy' => 'api', 'tenant' => 'user:42'],
            'ratelimit:history' => ['policy' => 'crowd', 'tenant' => 'user:42'],
        ];
        foreach ($commands as $command => $arguments) {
            [$status, $output] = $this->command($command, $arguments);
            $this->assertSame(1, $status);
            $this->assertStringContainsString('no.sock', $output);
        }
    }

    public function testWithoutRedisStandardOutputStaysJson(): void
    {
        foreach (['peek' => 'api', 'history' => 'crowd'] as $command => $policy) {
            $this->application = new Application(['ratelimit.url' => 'unix:///nowhere/no.sock'] + $this->config());
            $answer = $this->application->artisan("ratelimit:$command", $policy, 'user:42', '--json');
            $this->assertSame(1, $answer['exit']);
            $this->assertStringContainsString('no.sock', $answer['stderr']);
            $this->assertTrue($answer['stdout'] === '' || json_decode($answer['stdout'])->degraded, $answer['stdout']);
        }
    }

    public function testAnUnlimitedPolicyShowsNoNumbers(): void
    {
        $this->app['config']->set('ratelimit.policies', ['free' => ['policy' => 'no_limit']]);
        $this->assertMatchesRegularExpression('/\| free +\| unlimited +\| - +\| - +\|/', $this->command('ratelimit:list')[1]);
    }

    /** @dataProvider mistakes */
    #[DataProvider('mistakes')]
    public function testAWrongNameOrValueIs2(string $command, array $arguments, string $message): void
    {
        [$status, $output] = $this->command($command, $arguments + ['policy' => 'api', 'tenant' => 'user:42']);
        $this->assertSame(2, $status);
        $this->assertStringContainsString($message, $output);
        $this->assertSame('', $this->application->log());
    }

    /** @return array<string, array{string, array<string, string>, string}> */
    public static function mistakes(): array
    {
        return [
            'policy' => ['ratelimit:peek', ['policy' => 'apy'], 'There is no rate limit policy "apy": known are "api"'],
            'markup' => ['ratelimit:peek', ['policy' => '<error>'], 'There is no rate limit policy "<error>"'],
            'tenant' => ['ratelimit:peek', ['tenant' => ''], 'tenant is empty'],
            'scope' => ['ratelimit:reset', ['scope' => ''], 'scope is empty'],
            'algorithm' => ['ratelimit:history', [], 'policy "api" is a token_bucket'],
        ];
    }

    public function testInAProcessOfItsOwnAMisspeltNameFails(): void
    {
        $misspelt = $this->application->artisan('ratelimit:peek', 'apy', 'user:42');
        $this->assertSame(2, $misspelt['exit']);
        $this->assertStringContainsString('known are "api", "daily"', $misspelt['stderr']);
        $this->assertSame(0, $this->application->artisan('ratelimit:ping')['exit']);
    }

    /**
     * @param array<string, mixed> $arguments
     *
     * @return array{int, string} exit code and output
     */
    private function command(string $name, array $arguments = []): array
    {
        $status = Artisan::call($name, $arguments);

        return [$status, Artisan::output()];
    }
}
