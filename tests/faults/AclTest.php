<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\Clock;
use RedisRateLimit\Tests\Support\RedisServer;

/** The ACL rules that README.md gives are enough, and none of them is too much. */
final class AclTest extends FaultTestCase
{
    private Clock $clock;
    private RedisServer $redis;

    public function testEachIsNeededAndTogetherTheyAreEnough(): void
    {
        $this->clock = new Clock(1_700_006_400);
        $this->redis = new RedisServer([], $this->clock);
        self::assertSame([], $this->failures(self::rules()));
        // Those for a cluster and for Sentinel are tested with these.
        $commands = array_diff(preg_grep('/^\+/', self::rules()), ['+cluster|slots', '+asking', '+role']);
        self::assertGreaterThan(10, count($commands));
        foreach ($commands as $number => $command) {
            self::assertNotSame([], $this->failures(array_diff_key(self::rules(), [$number => true])), "without $command nothing fails");
        }
    }

    /** A state that may not be read is no empty one: nothing comes back, and that is an error. */
    public function testARefundThatMayNotReadIsAnError(): void
    {
        $limiter = $this->limiterThatMayDoAll();
        $policies = [
            'getrange' => [Policy::slidingLog('log', 9, 60)],
            'zrangebyscore' => [Policy::slidingLog('audit', 9, 60, audit: true)],
            'get' => [
                Policy::tokenBucket('token', 9, 9, 60), Policy::leakyBucket('leaky', 9, 9, 60),
                Policy::slidingWindow('sliding', 9, 60), Policy::fixedWindow('fixed', 9, 60),
            ],
        ];
        foreach ($policies as $command => $readBy) {
            $decisions = array_map(static fn (Policy $policy) => $limiter->consume($policy, 'alice'), $readBy);
            $this->redis->command('ACL', 'SETUSER', 'limiter', "-$command");
            foreach ($decisions as $decision) {
                $errors = RateLimiter::stats()['errors'];
                self::assertFalse($limiter->refund($decision), $decision->policy);
                self::assertSame($errors + 1, RateLimiter::stats()['errors'], "-$command is counted for {$decision->policy}");
            }
        }
    }

    /** What came back before a refund met the error does not come back again. */
    public function testARefundThatMayNotReadAllIsNotMadeTwice(): void
    {
        $limiter = $this->limiterThatMayDoAll();
        $policy = Policy::compound('both', Policy::fixedWindow('first', 9, 60), Policy::slidingLog('second', 9, 60));
        $limiter->consume($policy, 'alice');
        $decision = $limiter->consume($policy, 'alice');
        $this->redis->command('ACL', 'SETUSER', 'limiter', '-getrange');

        self::assertFalse($limiter->refund($decision));
        $this->redis->command('ACL', 'SETUSER', 'limiter', '+getrange');
        self::assertFalse($limiter->refund($decision));
        self::assertSame(['first' => 1, 'second' => 2], self::charged($limiter->peek($policy, 'alice')));
    }

    private function limiterThatMayDoAll(): RateLimiter
    {
        $this->redis = new RedisServer([], new Clock(1_700_006_400));
        $this->redis->command('ACL', 'SETUSER', 'limiter', 'on', '>' . self::SECRET, '~*', '+@all');

        return self::patient('redis://limiter:' . self::SECRET . "@127.0.0.1:{$this->redis->port}");
    }

    /** @return list<string> the words after the password in README.md's ACL SETUSER */
    private static function rules(): array
    {
        $readme = file_get_contents(dirname(__DIR__, 2) . '/README.md');
        self::assertSame(1, preg_match('/^ACL SETUSER limiter on >secret (.*?)$/m', $readme, $match));

        return explode(' ', $match[1]);
    }

    /**
     * What fails of all that a limiter can do, for a user with these rules.
     *
     * @param list<string> $rules
     * @return list<string>
     */
    private function failures(array $rules): array
    {
        $this->redis->command('FLUSHALL');
        $this->redis->command('SCRIPT', 'FLUSH');
        $this->redis->command('ACL', 'SETUSER', 'limiter', 'reset', 'on', '>' . self::SECRET, ...array_values($rules));
        $limiter = self::patient('redis://limiter:' . self::SECRET . "@127.0.0.1:{$this->redis->port}");
        $failures = [];
        $log = Policy::slidingLog('log', 100, 60);
        $audit = Policy::slidingLog('audit', 20, 60, audit: true);
        self::warningsOf(function () use ($limiter, $log, $audit, &$failures): void {
            $decisions = [];
            foreach ([self::compound(), $log, $log, $log, $audit, $audit, $audit] as $number => $policy) {
                // The third entry of the audit log comes when the first one leaves.
                $this->clock->advance(30);
                $decisions[] = $decision = $limiter->consume($policy, 'alice', cost: $policy === $log ? 30 : 2, requestId: "request $number");
                $failures[] = $decision->error;
            }
            $failures[] = $limiter->consume($audit, 'alice', cost: 19)->error;
            foreach ($decisions as $number => $decision) {
                if (!$limiter->refund($decision) && $number > 4) {
                    $failures[] = "no refund of {$decision->policy}";
                }
            }
            foreach ([fn () => $limiter->ping(), fn () => $limiter->history($log, 'alice'), fn () => $limiter->history($audit, 'alice'), fn () => $limiter->reset($log, 'alice')] as $call) {
                try {
                    $call();
                } catch (\RedisRateLimit\StoreUnavailable $exception) {
                    $failures[] = $exception->getMessage();
                }
            }
        });

        return array_values(array_filter($failures));
    }
}
