<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Tests\Support\RedisServer;
use RedisRateLimit\Tests\Support\TemporaryDirectory;

/** A refund that certainly did not run is still to be had when the server is mended; one that ran is not made twice. */
final class RefundInAnOutageTest extends FaultTestCase
{
    /** @dataProvider refusedWrites */
    #[DataProvider('refusedWrites')]
    public function testWhatTheServerRefusedToWriteCanBeRefundedLater(array $break, array $mend): void
    {
        $redis = self::serverThatCannotSave();
        $redis->command(...$mend);
        $limiter = self::patient($redis->tcpUrl());
        $limiter->consume(self::compound(), 'alice');
        $decision = $limiter->consume(self::compound(), 'alice', cost: 7);

        $redis->command(...$break);
        self::assertFalse($limiter->refund($decision), 'while it is broken');
        $redis->command(...$mend);

        self::assertTrue($limiter->refund($decision), 'once it is mended');
        self::assertFalse($limiter->refund($decision), 'again');
        $charged = self::charged($limiter->peek(self::compound(), 'alice'));
        $redis->command('CONFIG', 'SET', 'save', ''); // or it would not stop before it has saved
        self::assertSame(['bucket' => 1, 'log' => 1, 'audit' => 1, 'sliding' => 1, 'fixed' => 1], $charged);
    }

    /** @return array<string, array{list<string>, list<string>}> */
    public static function refusedWrites(): array
    {
        return [
            'READONLY' => [['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
            'NOREPLICAS' => self::setting('min-replicas-to-write', '1', '0'),
            'OOM' => self::setting('maxmemory', '1', '0'),
            'MISCONF' => self::setting('stop-writes-on-bgsave-error', 'yes', 'no'),
        ];
    }

    /** @return array{list<string>, list<string>} */
    private static function setting(string $name, string $broken, string $mended): array
    {
        return [['CONFIG', 'SET', $name, $broken], ['CONFIG', 'SET', $name, $mended]];
    }

    /** Writes all the same, until stop-writes-on-bgsave-error is set. */
    private static function serverThatCannotSave(): RedisServer
    {
        $folder = new TemporaryDirectory('ratelimit-gone');
        $redis = new RedisServer(['dir' => $folder->path, 'save' => '3600 1000000', 'stop-writes-on-bgsave-error' => 'no']);
        $folder->remove();
        $redis->command('BGSAVE');
        self::waitUntil(static fn () => $redis->info('rdb_last_bgsave_status') === 'err');

        return $redis;
    }
}
