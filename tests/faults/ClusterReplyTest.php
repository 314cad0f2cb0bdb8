<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\Port;
use RedisRateLimit\Tests\Support\RedisServer;

/** What a cluster's nodes answer instead: followed behind redis-cluster://, the failure rule's answer behind redis://. */
final class ClusterReplyTest extends FaultTestCase
{
    private RedisServer $owner;
    private RedisServer $other;
    private int $slot;

    /** Two masters that know each other; the first one owns all slots. */
    protected function setUp(): void
    {
        [$this->owner, $this->other] = [self::node(), self::node()];
        $this->owner->command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
        $this->other->command('CLUSTER', 'MEET', '127.0.0.1', $this->owner->port, $this->owner->command('CONFIG', 'GET', 'cluster-port')[1]);
        $knows = static fn (RedisServer $node) => str_contains($info = $node->command('CLUSTER', 'INFO'), 'cluster_state:ok')
            && str_contains($info, 'cluster_slots_ok:16384') && substr_count($node->command('CLUSTER', 'NODES'), ' connected') === 2;
        self::waitUntil(fn () => $knows($this->owner) && $knows($this->other));
        $this->slot = $this->owner->command('CLUSTER', 'KEYSLOT', self::key('bucket'));
    }

    public function testMovedIsFollowed(): void
    {
        $warnings = self::warningsOf(fn () => self::assertDegraded(false, 'MOVED', self::decide(self::patient($this->other->tcpUrl()))));
        self::assertCount(1, $warnings);
        self::assertSame([], $this->owner->keys());

        $cluster = self::patient("redis-cluster://127.0.0.1:{$this->other->port}");
        self::assertSame(array_fill(0, 5, 1), array_values(self::charged(self::decide($cluster))));
        $this->moveWholeSlot();
        self::assertSame(array_fill(0, 5, 2), array_values(self::charged(self::decide($cluster))), 'after the slot moved');
    }

    /** A compound has several keys, for which Redis answers TRYAGAIN on either side until all have moved. */
    public function testAskIsFollowed(): void
    {
        $policy = Policy::fixedWindow('p', 10, '1 day')->failClosed();
        $this->slot = $this->owner->command('CLUSTER', 'KEYSLOT', 'rl:p:alice:global');
        $this->beginMove();
        $warnings = self::warningsOf(fn () => self::assertDegraded(false, 'ASK', self::patient($this->owner->tcpUrl())->consume($policy, 'alice')));
        self::assertCount(1, $warnings);

        $cluster = self::patient("redis-cluster://127.0.0.1:{$this->owner->port}");
        foreach ([9, 8, 7] as $left) {
            self::assertSame($left, $cluster->consume($policy, 'alice')->remaining);
        }
        self::assertSame([], $this->owner->keys());
        self::assertSame(['rl:p:alice:global'], $this->other->keys());
    }

    public function testTryAgainChargesNothingAndIsNoOutage(): void
    {
        $cluster = self::patient("redis-cluster://127.0.0.1:{$this->owner->port}");
        self::decide($cluster);
        $this->beginMove();
        $this->migrate(self::key('bucket'));
        $warnings = self::warningsOf(static function () use ($cluster): void {
            foreach ([1, 2, 3] as $_) {
                self::assertDegraded(false, 'TRYAGAIN', self::decide($cluster));
            }
        });
        self::assertSame([], $warnings, 'a slot that moves says nothing about the servers');

        $this->finishMove();
        self::assertSame(array_fill(0, 5, 2), array_values(self::charged(self::decide($cluster))));
    }

    public function testAClusterThatIsDownIsNotAsked(): void
    {
        $cluster = self::patient("redis-cluster://127.0.0.1:{$this->owner->port}");
        self::decide($cluster);
        $this->owner->command('CLUSTER', 'DELSLOTS', $this->slot);
        foreach ([$cluster, self::patient($this->owner->tcpUrl()), self::patient("redis-cluster://127.0.0.1:{$this->owner->port}")] as $limiter) {
            $warnings = self::warningsOf(fn () => [
                self::assertDegraded(false, 'CLUSTERDOWN', $decision = self::decide($limiter)),
                self::assertStringContainsString("127.0.0.1:{$this->owner->port}", $decision->error),
            ]);
            self::assertLessThanOrEqual(1, count($warnings));
        }

        $this->owner->command('CLUSTER', 'ADDSLOTS', $this->slot);
        // The node itself needs a moment before it calls the cluster well again.
        self::waitUntil(static function () use ($cluster, &$decision): bool {
            $decision = self::decide($cluster);

            return !str_contains((string) $decision->error, 'CLUSTERDOWN');
        });
        self::assertSame(array_fill(0, 5, 2), array_values(self::charged($decision)));
    }

    public function testAClusterWithoutSlotsIsDown(): void
    {
        $node = self::node();
        foreach (["redis-cluster://127.0.0.1:{$node->port}", $node->tcpUrl()] as $url) {
            self::warningsOf(fn () => [
                self::assertDegraded(false, 'CLUSTERDOWN', $decision = self::decide(self::patient($url))),
                self::assertStringContainsString("127.0.0.1:{$node->port}", $decision->error),
            ]);
        }
    }

    private static function decide(RateLimiter $limiter): \RedisRateLimit\Decision
    {
        return $limiter->consume(self::compound()->failClosed(), 'alice');
    }

    private static function key(string $member): string
    {
        return "rl:{all:alice:global}:$member";
    }

    private static function node(): RedisServer
    {
        return new RedisServer(['cluster-enabled' => 'yes', 'cluster-port' => Port::free(), 'cluster-require-full-coverage' => 'no']);
    }

    private function moveWholeSlot(): void
    {
        $this->beginMove();
        $this->finishMove();
    }

    private function beginMove(): void
    {
        $this->other->command('CLUSTER', 'SETSLOT', $this->slot, 'IMPORTING', $this->owner->command('CLUSTER', 'MYID'));
        $this->owner->command('CLUSTER', 'SETSLOT', $this->slot, 'MIGRATING', $this->other->command('CLUSTER', 'MYID'));
    }

    private function migrate(string $key): void
    {
        $this->owner->command('MIGRATE', '127.0.0.1', $this->other->port, $key, '0', '5000');
    }

    private function finishMove(): void
    {
        array_map($this->migrate(...), $this->owner->command('CLUSTER', 'GETKEYSINSLOT', $this->slot, '100'));
        foreach ([$this->other, $this->owner] as $node) {
            $node->command('CLUSTER', 'SETSLOT', $this->slot, 'NODE', $this->other->command('CLUSTER', 'MYID'));
        }
    }
}
