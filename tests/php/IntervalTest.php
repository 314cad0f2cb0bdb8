<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RedisRateLimit\Policy;

/** Lengths of time are what they say, to the microsecond and in every time zone. */
final class IntervalTest extends TestCase
{
    /** @dataProvider intervals */
    #[DataProvider('intervals')]
    public function testAnIntervalIsSecondsOrATextOfFixedLength(int|float|string $interval, float $seconds): void
    {
        self::assertSame($seconds, Policy::fixedWindow('p', 1, $interval)->interval);
    }

    /** @return array<string, array{int|float|string, float}> */
    public static function intervals(): array
    {
        return [
            'int' => [5, 5.0], 'float' => [0.5, 0.5], 'a microsecond' => [0.000001, 0.000001],
            'ms' => ['250 ms', 0.25], 'seconds' => ['30 seconds', 30.0], 'minutes' => ['15 minutes', 900.0],
            'hour' => ['1 hour', 3600.0], 'day' => ['1 day', 86_400.0], 'weeks' => ['2 weeks', 1_209_600.0], 'a number alone' => ['60', 60.0],
            'second' => ['1 second', 1.0], 'minute' => ['1 minute', 60.0], 'hours' => ['12 hours', 43_200.0],
            'days' => ['30 days', 2_592_000.0], 'week' => ['1 week', 604_800.0],
        ];
    }

    /** Berlin's clock went back in the night of 2023-10-29: a day of 25 hours there. */
    public function testAnIntervalIsTheSameInEveryTimeZone(): void
    {
        $before = date_default_timezone_get();
        foreach (['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'] as $zone) {
            date_default_timezone_set($zone);
            self::assertSame(300.0, Policy::fixedWindow('p', 1, '5 minutes')->interval, $zone);
            self::assertSame(86_400.0, Policy::fixedWindow('p', 1, '1 day')->interval, $zone);
        }
        date_default_timezone_set($before);
    }
}
