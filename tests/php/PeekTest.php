<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Policy;
use RedisRateLimit\Tests\Support\RedisServer;

/** Looking changes nothing, and neither does a refusal. */
final class PeekTest extends RedisTestCase
{
    public function testOnADrainedBucketItTellsTheWaitAndLeavesTheKeyAsItWas(): void
    {
        $policy = Policy::tokenBucket('p', 10, 1, 10);
        self::assertAllowed(0, $this->limiter->consume($policy, 'alice', cost: 10));
        $this->clockAt(3);
        $before = $this->state('rl:p:alice:global');

        $decision = $this->limiter->peek($policy, 'alice');

        self::assertRefused(7.0, $decision);
        self::assertSame(0, $decision->remaining);
        self::assertSame($before, $this->state('rl:p:alice:global'));
    }

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testAtAnUnknownTenantAllIsThereAndNoKeyIsMade(string $kind): void
    {
        self::assertAllowed(10, $this->limiter->peek(self::policy($kind), 'nobody'));
        self::assertSame([], self::$redis->keys());
    }

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testItAgreesWithTheConsumeThatFollows(string $kind): void
    {
        $policy = self::policy($kind);
        $this->limiter->consume($policy, 'alice', cost: 7);
        foreach ([3 => true, 4 => false] as $cost => $passes) {
            $peek = $this->limiter->peek($policy, 'alice', cost: $cost);
            self::assertSame($passes, $peek->allowed);
            self::assertSame(3, $peek->remaining);
        }
        self::assertAllowed(3, $this->limiter->peek($policy, 'alice', cost: 0));
        self::assertAllowed(0, $this->limiter->consume($policy, 'alice', cost: 3));
        self::assertAllowed(0, $this->limiter->peek($policy, 'alice', cost: 0));
    }

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testARefusalAndAPeekWriteAndReplicateNothing(string $kind): void
    {
        // Where time stands still, a delay would never end.
        self::$redis->command('CONFIG', 'SET', 'repl-diskless-sync-delay', '0');
        $replica = new RedisServer();
        $replica->command('REPLICAOF', '127.0.0.1', self::$redis->port);
        for ($deadline = microtime(true) + 10; !str_contains(self::$redis->command('INFO', 'replication'), 'state=online'); usleep(5000)) {
            self::assertLessThan($deadline, microtime(true), 'the replica never came');
        }
        // No PING of the master's own may move its offset meanwhile.
        self::$redis->command('CONFIG', 'SET', 'repl-ping-replica-period', '3600');
        $policy = self::policy($kind);
        $this->limiter->consume($policy, 'alice', cost: 10);
        $before = $this->writes();

        for ($i = 0; $i < 5; $i++) {
            self::assertFalse($this->limiter->consume($policy, 'alice')->allowed);
            self::assertNull($this->limiter->consume($policy, 'alice', cost: 11)->retryAfter);
            $this->limiter->peek($policy, 'alice');
            $this->limiter->peek($policy, 'bob');
        }

        self::assertSame($before, $this->writes());
        $this->limiter->consume($policy, 'bob');
        self::assertNotSame($before, $this->writes(), 'an allowed call must show, or this test is blind');
    }

    /** @return array{string, int} */
    private function state(string $key): array
    {
        return [self::$redis->command('DUMP', $key), self::$redis->command('PTTL', $key)];
    }

    /** @return array{string, string} */
    private function writes(): array
    {
        return [self::$redis->info('rdb_changes_since_last_save'), self::$redis->info('master_repl_offset')];
    }
}
