<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use RedisRateLimit\Policy;
use RedisRateLimit\Tests\Symfony\App\Application;
use Symfony\Bundle\FrameworkBundle\Console\Application as Console;
use Symfony\Component\Console\Input\ArrayInput;
use Symfony\Component\Console\Output\BufferedOutput;

/** bin/console ratelimit:* */
final class CommandsTest extends SymfonyTestCase
{
    private Application $application;

    protected function setUp(): void
    {
        parent::setUp();
        $this->application = $this->limited('', self::POLICIES . "\n        login: { policy: sliding_log, limit: 5, interval: 60, audit: true }\n        closed: { policy: fixed_window, limit: 1, interval: 60, on_failure: closed }");
    }

    public function testPoliciesAreListed(): void
    {
        [$code, $table] = $this->console(['ratelimit:policies']);
        [, $json] = $this->console(['ratelimit:policies', '--format' => 'json']);

        self::assertSame(0, $code);
        self::assertMatchesRegularExpression('/api\s+token_bucket\s+60\s+60 s/', $table);
        self::assertMatchesRegularExpression('/login\s+sliding_log\s+5\s+60 s\s+audit: true/', $table);
        self::assertSame(['api', 'export', 'login', 'closed'], array_keys(json_decode($json, true)));
        self::assertSame('fixed_window', json_decode($json, true)['export']['policy']);
    }

    public function testPeekShowsWhatIsLeftAndTakesNothing(): void
    {
        $this->limiter->consume(Policy::fixedWindow('export', 10, 3600), 'user:42', cost: 3);
        [$code, $table] = $this->console(['ratelimit:peek', 'policy' => 'export', 'tenant' => 'user:42']);
        [, $json] = $this->console(['ratelimit:peek', 'policy' => 'export', 'tenant' => 'user:42', '--format' => 'json']);
        [, $other] = $this->console(['ratelimit:peek', 'policy' => 'export', 'tenant' => 'user:42', 'scope' => 'other', '--format' => 'json']);

        self::assertSame(0, $code);
        self::assertMatchesRegularExpression('/export\s+allowed\s+7 of 10\s+–\s+2023-11-15 01:00:00 UTC/', $table);
        self::assertSame(7, json_decode($json, true)['remaining']);
        self::assertSame(10, json_decode($other, true)['remaining']);
    }

    public function testResetForgets(): void
    {
        $this->limiter->consume(Policy::fixedWindow('export', 10, 3600), 'user:42');
        [$code, $text] = $this->console(['ratelimit:reset', 'policy' => 'export', 'tenant' => 'user:42']);
        [$again, $json] = $this->console(['ratelimit:reset', 'policy' => 'export', 'tenant' => 'user:42', '--format' => 'json']);

        self::assertSame([0, 0], [$code, $again]);
        self::assertStringContainsString('full again', $text);
        self::assertSame(['reset' => false], json_decode($json, true));
        self::assertSame([], self::$redis->keys());
    }

    public function testHistoryListsALog(): void
    {
        $this->limiter->consume(Policy::slidingLog('login', 5, 60, audit: true), 'user:42', requestId: 'r-1');
        [$code, $table] = $this->console(['ratelimit:history', 'policy' => 'login', 'tenant' => 'user:42']);
        [, $json] = $this->console(['ratelimit:history', 'policy' => 'login', 'tenant' => 'user:42', '--format' => 'json']);

        self::assertSame(0, $code);
        self::assertMatchesRegularExpression('/2023-11-15 00:00:00\.000000\s+1\s+r-1/', $table);
        self::assertSame('r-1', json_decode($json, true)[0]['request_id']);
    }

    public function testHistoryShowsHostileRequestIdsForWhatTheyAre(): void
    {
        $policy = Policy::slidingLog('login', 5, 60, audit: true);
        foreach (["\e[2J<error>a</error>", "\xff\\", "é\u{9b}\u{202e}"] as $id) {
            $this->limiter->consume($policy, 'user:42', requestId: $id);
        }
        [$code, $table] = $this->console(['ratelimit:history', 'policy' => 'login', 'tenant' => 'user:42']);
        [$jsonCode, $json] = $this->console(['ratelimit:history', 'policy' => 'login', 'tenant' => 'user:42', '--format' => 'json']);

        self::assertSame([0, 0], [$code, $jsonCode]);
        self::assertStringContainsString('\x1B[2J<error>a</error>', $table);
        self::assertStringContainsString('\xFF\x5C', $table);
        self::assertStringContainsString('é\xC2\x9B\xE2\x80\xAE', $table);
        self::assertSame(["\e[2J<error>a</error>", "\u{fffd}\\", "é\u{9b}\u{202e}"], array_column(json_decode($json, true), 'request_id'));
    }

    public function testPingMeasures(): void
    {
        [$code, $text] = $this->console(['ratelimit:ping']);
        [$jsonCode, $json] = $this->console(['ratelimit:ping', '--format' => 'json']);

        self::assertSame([0, 0], [$code, $jsonCode]);
        self::assertMatchesRegularExpression('/Redis answers in [1-9]\d* µs/', $text);
        self::assertGreaterThan(0.0, json_decode($json, true)['seconds']);
    }

    public function testAWrongNameOrOptionIs2(): void
    {
        [$code, $text] = $this->console(['ratelimit:peek', 'policy' => 'exprot', 'tenant' => 'user:42']);

        self::assertSame(2, $code);
        self::assertStringContainsString('exprot', $text);
        self::assertStringContainsString('"export"', $text);
        self::assertSame(2, $this->console(['ratelimit:ping', '--format' => 'xml'])[0]);
        self::assertSame(2, $this->console(['ratelimit:history', 'policy' => 'export', 'tenant' => 'user:42'])[0]);
        self::assertSame(2, $this->console(['ratelimit:peek', 'policy' => 'export', 'tenant' => ''])[0]);
    }

    public function testAMissingTenantAndAnUnknownOptionAre2(): void
    {
        [$code, $text] = $this->console(['ratelimit:peek', 'policy' => 'export']);

        self::assertSame(2, $code);
        self::assertStringContainsString('missing: "tenant"', $text);
        self::assertStringContainsString('ratelimit:peek [--format FORMAT] [--] <policy> <tenant> [<scope>]', $text);
        self::assertSame(2, $this->console(['ratelimit:ping', '--fromat' => 'json'])[0]);
    }

    public function testAnAbsentRedisIs1(): void
    {
        self::$redis->stop();
        try {
            foreach (['ping' => null, 'peek' => 'closed', 'reset' => 'closed', 'history' => 'login'] as $command => $policy) {
                $arguments = $policy === null ? [] : ['policy' => $policy, 'tenant' => 'user:42'];
                [$code, $text] = $this->console(["ratelimit:$command"] + $arguments);

                self::assertSame(1, $code, $text);
            }
        } finally {
            self::$redis->restart();
        }
    }

    /** @return array{int, string} exit code, and what was written */
    private function console(array $input): array
    {
        $command = (new Console($this->application))->find(array_shift($input));
        $output = new BufferedOutput();

        return [$command->run(new ArrayInput($input), $output), $output->fetch()];
    }
}
