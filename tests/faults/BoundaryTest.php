<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Tests\Support\Php;
use RedisRateLimit\Tests\Support\RedisServer;

/** Whatever PHP code passes in: a typed exception or an answer, never a crash, never a leak. */
final class BoundaryTest extends FaultTestCase
{
    private const CALLS = 100_000;

    public function testAHundredThousandCallsWithJunk(): void
    {
        $seed = (int) (getenv('RATELIMIT_SEED') ?: random_int(1, 1_000_000));
        $redis = new RedisServer();
        $result = Php::invoke([__DIR__ . '/fuzz.php', (string) $seed, (string) self::CALLS, $redis->url()], ['log_errors' => '0', 'memory_limit' => '512M']);
        $again = "RATELIMIT_SEED=$seed, exit {$result['exit']}: " . substr($result['stderr'], 0, 2000);
        $found = json_decode($result['stdout'], true);

        self::assertIsArray($found, $again . substr($result['stdout'], 0, 2000));
        self::assertSame([], $found['thrown'], $again);
        self::assertSame([4, null], [$found['remaining'], $found['error']], $again);
        self::assertLessThan(1_000_000, $found['heap'], "bytes, $again");
        self::assertLessThan(8192, $found['resident'], "KiB, $again");
        self::assertSame([0, ''], [$result['exit'], $result['stderr']], $again);
    }
}
