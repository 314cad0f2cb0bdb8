<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Policy;
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
