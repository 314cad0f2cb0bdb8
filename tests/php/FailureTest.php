<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimitExceeded;
use RedisRateLimit\StoreUnavailable;
use RedisRateLimit\Tests\Support\CollectsWarnings;
use RedisRateLimit\Tests\Support\Php;
use RedisRateLimit\Tests\Support\RedisServer;

/** Redis is away: the policy's rule answers in time, says so, and invents nothing. */
final class FailureTest extends FailureTestCase
{
    use CollectsWarnings;

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

    /**
     * @testWith ["1", 2]
     *           ["600000", 1]
     */
    #[TestWith(['1', 2])]
    #[TestWith(['600000', 1])]
    public function testAnOutageIsOneWarningAndTheNextOneAnotherIfItBeginsACooldownLater(string $cooldown, int $expected): void
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
            PHP, dirname(__DIR__)), ['ratelimit.breaker_failures' => '0', 'ratelimit.breaker_cooldown_ms' => $cooldown]);

        self::assertSame('', $result['stderr']);
        ['warnings' => $warnings, 'socket' => $socket] = json_decode($result['stdout'], true);
        self::assertCount($expected, $warnings, $result['stdout']);
        foreach ($warnings as [$level, $text]) {
            self::assertSame(E_WARNING, $level);
            self::assertStringContainsString($socket, $text);
        }
    }

    /**
     * @testWith ["refund"]
     *           ["reset"]
     *           ["history"]
     */
    #[TestWith(['refund'])]
    #[TestWith(['reset'])]
    #[TestWith(['history'])]
    public function testWhatDoesNotWarnLeavesTheOutagesOneWarningToADecision(string $first): void
    {
        $redis = new RedisServer();
        $limiter = self::patient($redis->url());
        $policy = Policy::slidingLog('p', 10, 60);
        $decision = $limiter->consume($policy, 'alice');
        $redis->stop();

        $silent = self::warningsOf(static function () use ($first, $limiter, $policy, $decision): void {
            try {
                $first === 'refund' ? $limiter->refund($decision) : $limiter->$first($policy, 'alice');
            } catch (StoreUnavailable) {
            }
        });
        self::assertSame([], $silent);
        $warnings = self::warningsOf(static fn () => [$limiter->consume($policy, 'alice'), $limiter->consume($policy, 'alice')]);
        self::assertCount(1, $warnings, implode("\n", $warnings));
        self::assertStringContainsString($redis->socket, $warnings[0]);
    }
}
