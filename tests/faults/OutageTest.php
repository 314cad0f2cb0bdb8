<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

/** An outage costs the fleet almost nothing and ends by itself. `make faults` measures how little, and how soon. */
final class OutageTest extends FaultTestCase
{
    private const FAILURES = 5;
    private const WORKERS = 4;
    /** Long enough for a busy machine, ms. */
    private const TIMEOUT = 400;

    public function testOneWorkerProbesForAllAndEveryRequestIsAnswered(): void
    {
        $seconds = 4.0;
        $outage = new Outage($seconds, replaced: true, timeout: self::TIMEOUT);

        self::assertSame([200], array_values(array_unique(array_column($outage->answers, 'status'))), $outage->log);
        self::assertSame(1, substr_count($outage->log, 'ratelimit: '), $outage->log);
        $probes = floor(($outage->ended - $outage->began) / Outage::COOLDOWN) + 1;
        self::assertLessThanOrEqual(self::FAILURES + self::WORKERS + $probes, count($outage->connections));
        self::assertGreaterThanOrEqual(2, count($outage->connections));
        self::assertSame([true], array_values(array_unique(array_column($outage->between(1.5, $seconds), 'degraded'))));
        self::assertSame([false], array_values(array_unique(array_column(array_slice($outage->answers, -50), 'degraded'))), 'it ended');
    }

    public function testAServerThatStandsStillIsLeftAloneToo(): void
    {
        $outage = new Outage(3.0, replaced: false, timeout: self::TIMEOUT);

        self::assertSame([200], array_values(array_unique(array_column($outage->answers, 'status'))), $outage->log);
        self::assertSame(1, substr_count($outage->log, 'ratelimit: '), $outage->log);
        self::assertSame([false], array_values(array_unique(array_column(array_slice($outage->answers, -50), 'degraded'))), 'it ended');
    }
}
