<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RedisRateLimit\Decision;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\RateLimitExceeded;
use RedisRateLimit\StoreUnavailable;
use RedisRateLimit\Tests\Support\Php;
use RedisRateLimit\Tests\Support\RedisServer;

/** Redis is away: the policy's rule answers in time, says so, and invents nothing. */
final class FailureTest extends TestCase
{
    /** @return array<string, array{callable}> each leaves a server, or none, that will not answer, and gives its URL */
    public static function failures(): array
    {
        return [
            'nobody listens' => [static fn (RedisServer $redis) => [$redis->stop(), $redis->tcpUrl()][1]],
            'no such socket' => [static fn (RedisServer $redis) => [$redis->stop(), $redis->url()][1]],
            'silent from the start' => [static fn (RedisServer $redis) => [$redis->freeze(), $redis->tcpUrl()][1]],
            'silent unix socket' => [static fn (RedisServer $redis) => [$redis->freeze(), $redis->url()][1]],
            'silent after it had answered' => [static function (RedisServer $redis): string {
                self::patient($redis->tcpUrl())->ping();
                $redis->freeze();

                return $redis->tcpUrl();
            }],
            'gone after it had answered' => [static function (RedisServer $redis): string {
                self::patient($redis->url())->ping();
                $redis->stop();

                return $redis->url();
            }],
        ];
    }

    /** @dataProvider failures */
    #[DataProvider('failures')]
    public function testTheRuleAnswersWithinTheDeadline(callable $fail): void
    {
        $redis = new RedisServer();
        $limiter = self::hasty($fail($redis));
        $policy = Policy::slidingLog('p', 10, 60);
        foreach ([[$policy->failOpen(), true], [$policy->failClosed(), false], [$policy, true]] as [$policy, $allowed]) {
            foreach (['consume', 'peek'] as $method) {
                $start = hrtime(true);
                $decision = self::quietly(static fn () => $limiter->$method($policy, 'alice'));
                $seconds = (hrtime(true) - $start) / 1e9;

                self::assertSame($allowed, $decision->allowed);
                self::assertDegraded($decision);
                self::assertLessThan(2.0, $seconds, 'the deadline is 0.1');
            }
        }
    }

    /** @dataProvider failures */
    #[DataProvider('failures')]
    public function testWhatNoRuleStandsInForThrows(callable $fail): void
    {
        $redis = new RedisServer();
        $limiter = self::hasty($fail($redis));
        $log = Policy::slidingLog('p', 10, 60);
        foreach ([
            static fn () => $limiter->ping(),
            static fn () => $limiter->reset($log, 'alice'),
            static fn () => $limiter->history($log, 'alice'),
        ] as $call) {
            try {
                self::quietly($call);
                self::fail('nothing was thrown');
            } catch (StoreUnavailable $exception) {
                self::assertInstanceOf(\RuntimeException::class, $exception);
                self::assertNotSame('', $exception->getMessage());
            }
        }
    }

    public function testARefundWhileRedisIsAwayGivesNothingBack(): void
    {
        $redis = new RedisServer();
        $limiter = self::patient($redis->url());
        $decision = $limiter->consume(Policy::fixedWindow('p', 10, 60), 'alice');
        self::assertTrue($decision->allowed);
        $redis->stop();

        self::assertFalse(self::quietly(static fn () => $limiter->refund($decision)));
    }

    public function testAClosedRuleRefusesLikeAnyRefusal(): void
    {
        $limiter = self::patient('redis://127.0.0.1:1');
        $decision = self::quietly(static fn () => $limiter->consume(Policy::fixedWindow('p', 10, 60)->failClosed(), 'alice'));

        $this->expectException(RateLimitExceeded::class);
        $decision->ensureAllowed();
    }

    public function testAConnectionClosedWhileIdleIsOpenedAgain(): void
    {
        $redis = new RedisServer();
        $limiter = self::patient($redis->tcpUrl());
        $policy = Policy::fixedWindow('p', 10, 3600);
        for ($left = 9; $left >= 5; $left--) {
            $decision = $limiter->consume($policy, 'alice');
            self::assertSame([true, $left, false], [$decision->allowed, $decision->remaining, $decision->degraded], (string) $decision->error);
            $redis->command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        }
    }

    public function testAfterATimeoutNoAnswerReachesTheWrongCall(): void
    {
        $redis = new RedisServer();
        $a = Policy::fixedWindow('a', 100, 3600);
        self::assertSame(50, self::patient($redis->tcpUrl())->consume($a, 'alice', cost: 50)->remaining);
        $redis->freeze();
        self::assertDegraded(self::quietly(static fn () => self::hasty($redis->tcpUrl())->consume($a, 'alice')));
        $redis->thaw();

        for ($left = 9; $left >= 0; $left--) {
            $decision = self::patient($redis->tcpUrl())->consume(Policy::fixedWindow('b', 10, 3600), 'alice');
            self::assertSame([10, $left], [$decision->limit, $decision->remaining], (string) $decision->error);
        }
    }

    public function testAnErrorOfTheServerIsReportedInItsWords(): void
    {
        $redis = new RedisServer(['requirepass' => 'right']);
        $decision = self::quietly(static fn () => (new RateLimiter("redis://:wrong-secret@127.0.0.1:{$redis->port}", 5.0))
            ->consume(Policy::fixedWindow('p', 10, 60), 'alice'));

        self::assertDegraded($decision);
        self::assertStringContainsString('WRONGPASS', $decision->error);
        self::assertStringNotContainsString('secret', $decision->error);
        self::assertTrue((new RateLimiter("redis://:right@127.0.0.1:{$redis->port}", 5.0))->consume(Policy::fixedWindow('p', 10, 60), 'alice')->allowed);
    }

    public function testAServerOutOfMemoryIsNoLimit(): void
    {
        $redis = new RedisServer(['maxmemory' => '1', 'maxmemory-policy' => 'noeviction']);
        $decision = self::quietly(static fn () => (new RateLimiter($redis->url(), 5.0))->consume(Policy::fixedWindow('p', 10, 60), 'alice'));

        self::assertDegraded($decision);
        self::assertStringContainsString('OOM', $decision->error);
    }

    public function testAnOutageIsOneWarningAndTheNextOneAnother(): void
    {
        $result = Php::run(sprintf(<<<'PHP'
            require '%s/autoload.php';
            $redis = new RedisRateLimit\Tests\Support\RedisServer();
            $limiter = new RedisRateLimit\RateLimiter($redis->url(), timeout: 5.0);
            $policy = RedisRateLimit\Policy::fixedWindow('p', 10, 60);
            $warnings = [];
            set_error_handler(function (int $level, string $text) use (&$warnings) { $warnings[] = [$level, $text]; return true; });
            for ($outage = 0; $outage < 2; $outage++) {
                $redis->stop();
                for ($i = 0; $i < 20; $i++) { $limiter->consume($policy, 'alice'); }
                $redis->start();
                for ($i = 0; $i < 5; $i++) { $limiter->consume($policy, 'alice'); }
            }
            echo json_encode(['warnings' => $warnings, 'socket' => $redis->socket]);
            PHP, dirname(__DIR__)), ['ratelimit.breaker_failures' => '0']);

        self::assertSame('', $result['stderr']);
        ['warnings' => $warnings, 'socket' => $socket] = json_decode($result['stdout'], true);
        self::assertCount(2, $warnings, $result['stdout']);
        foreach ($warnings as [$level, $text]) {
            self::assertSame(E_WARNING, $level);
            self::assertStringContainsString($socket, $text);
        }
    }

    /** With a deadline that a busy machine keeps. */
    private static function patient(string $url): RateLimiter
    {
        return new RateLimiter($url, timeout: 10.0);
    }

    /** With a deadline that is meant to pass. */
    private static function hasty(string $url): RateLimiter
    {
        return new RateLimiter($url, timeout: 0.1);
    }

    private static function quietly(callable $call): mixed
    {
        set_error_handler(static fn () => true);
        try {
            return $call();
        } finally {
            restore_error_handler();
        }
    }

    private static function assertDegraded(Decision $decision): void
    {
        self::assertTrue($decision->degraded);
        self::assertSame('store_unavailable', $decision->reason);
        self::assertNotSame('', (string) $decision->error);
        self::assertNull($decision->resetAt);
        self::assertSame([], $decision->windows);
        self::assertSame([], array_diff(array_keys($decision->toHeaders() + $decision->toStandardHeaders()), ['Retry-After']));
    }
}
