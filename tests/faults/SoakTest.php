<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

/** A minute of mixed load while Redis comes and goes; `make faults` takes ten. */
final class SoakTest extends FaultTestCase
{
    public function testNoWorkerDiesHangsOrGrows(): void
    {
        $soak = new Soak(60, 5, timeout: 400);

        self::assertSame([200], array_keys($soak->statuses), $soak->log);
        self::assertGreaterThan(0, $soak->degraded);
        self::assertSame($soak->workers[0], $soak->workers[1], 'the same processes: ' . $soak->log);
        self::assertCount(4, $soak->alive);
        self::assertLessThan(1024, $soak->resident[1] - $soak->resident[0], 'KiB');
        self::assertStringNotContainsString('signal', $soak->log);
        self::assertLessThanOrEqual($soak->restarts, substr_count($soak->log, 'ratelimit: '), 'a warning per outage');
    }
}
