<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Shared;

use PHPUnit\Framework\TestCase;
use Psr\Log\AbstractLogger;
use RedisRateLimit\Decision;
use RedisRateLimit\DecisionListener;
use RedisRateLimit\Limiter;
use RedisRateLimit\NativeLimiter;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\StoreUnavailable;
use RedisRateLimit\Tests\Support\RedisServer;

final class NativeLimiterTest extends TestCase
{
    public function testItHasTheSignaturesOfTheExtension(): void
    {
        foreach ((new \ReflectionClass(Limiter::class))->getMethods() as $method) {
            $native = new \ReflectionMethod(RateLimiter::class, $method->name);
            $this->assertSame($this->signature($native), $this->signature($method));
        }
    }

    public function testItPassesEveryCallOn(): void
    {
        $redis = new RedisServer();
        $limiter = new NativeLimiter(new RateLimiter($redis->url(), 2));
        $policy = Policy::slidingLog('api', 5, '1 hour', true);
        $decision = $limiter->consume($policy, 'a', 'exports', 2, 'request-1');
        $this->assertSame([true, 3], [$decision->allowed, $decision->remaining]);
        $this->assertSame(3, $limiter->peek($policy, 'a', 'exports', 0)->remaining);
        $this->assertSame(['request-1'], array_unique(array_column($limiter->history($policy, 'a', 'exports'), 'request_id')));
        $this->assertTrue($limiter->refund($decision));
        $limiter->consume($policy, 'a', 'exports');
        $this->assertTrue($limiter->reset($policy, 'a', 'exports'));
        $this->assertFalse($limiter->reset($policy, 'a', 'exports'));
        $this->assertGreaterThan(0.0, $limiter->ping());
        $redis->stop();
    }

    public function testAListenerHearsOfEveryConsume(): void
    {
        $redis = new RedisServer();
        $listener = new class () implements DecisionListener {
            /** @var list<array<mixed>> */
            public array $heard = [];

            public function decided(Policy $policy, string $tenant, string $scope, Decision $decision, float $microseconds): void
            {
                $this->heard[] = [$policy->name, $tenant, $scope, $decision->allowed, $microseconds > 0];
            }
        };
        $limiter = new NativeLimiter(new RateLimiter($redis->url(), 2), null, $listener);
        $policy = Policy::fixedWindow('api', 1, '1 hour');
        $limiter->consume($policy, 'a', 'exports');
        $limiter->peek($policy, 'a', 'exports');
        $limiter->consume($policy, 'a', 'exports');
        $this->assertSame([['api', 'a', 'exports', true, true], ['api', 'a', 'exports', false, true]], $listener->heard);
        $redis->stop();
    }

    public function testTheWarningOfAnOutageIsOneLogRecordAndNeverAnException(): void
    {
        $logger = new class () extends AbstractLogger {
            /** @var list<array{mixed, string}> */
            public array $records = [];

            public function log($level, $message, array $context = []): void
            {
                $this->records[] = [$level, (string) $message];
            }
        };
        $limiter = new NativeLimiter(new RateLimiter('unix:///nowhere/native-limiter.sock'), $logger);
        $policy = Policy::fixedWindow('api', 1, '1 hour');
        $this->throwingOnWarnings(function () use ($limiter, $policy): void {
            for ($i = 0; $i < 3; $i++) {
                $this->assertTrue($limiter->consume($policy, 'a')->degraded);
            }
            try {
                $limiter->ping();
                $this->fail('nobody answers there');
            } catch (StoreUnavailable) {
            }
        });
        $this->assertCount(1, $logger->records);
        $this->assertSame('warning', $logger->records[0][0]);
        $this->assertStringContainsString('native-limiter.sock', $logger->records[0][1]);
    }

    public function testWithoutALoggerPhpsOwnLogGetsIt(): void
    {
        $log = tempnam(sys_get_temp_dir(), 'ratelimit-log');
        // PHPUnit 10 and newer report no warnings but through their own handler.
        $settings = ['error_log' => $log, 'display_errors' => '0', 'error_reporting' => (string) E_ALL];
        $before = array_map(ini_set(...), array_keys($settings), $settings);
        $limiter = new NativeLimiter(new RateLimiter('unix:///nowhere/no-logger.sock'));
        $this->throwingOnWarnings(function () use ($limiter): void {
            $this->assertTrue($limiter->consume(Policy::fixedWindow('api', 1, '1 hour'), 'a')->degraded);
        });
        array_map(ini_set(...), array_keys($settings), $before);
        $this->assertSame(1, substr_count(file_get_contents($log), 'no-logger.sock'));
        unlink($log);
    }

    /** As frameworks do. */
    private function throwingOnWarnings(\Closure $code): void
    {
        set_error_handler(static fn (int $level, string $message) => throw new \ErrorException($message));
        try {
            $code();
            try {
                trigger_error('of somebody else', E_USER_WARNING);
                $this->fail('the handler is not back');
            } catch (\ErrorException) {
            }
        } finally {
            restore_error_handler();
        }
    }

    private function signature(\ReflectionMethod $method): string
    {
        $parameters = array_map(static fn (\ReflectionParameter $parameter): string => sprintf(
            '%s $%s%s',
            $parameter->getType(),
            $parameter->name,
            $parameter->isDefaultValueAvailable() ? ' = ' . json_encode($parameter->getDefaultValue()) : '',
        ), $method->getParameters());

        return sprintf('%s(%s): %s', $method->name, implode(', ', $parameters), $method->getReturnType());
    }
}
