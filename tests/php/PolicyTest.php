<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RedisRateLimit\InvalidPolicy;
use RedisRateLimit\Policy;

/** A policy is an immutable rule; one that can never work is refused with the value at fault. */
final class PolicyTest extends TestCase
{
    public function testItsPropertiesSayWhatItIs(): void
    {
        $policies = [
            ['a', 'token_bucket', 100, 10.0, Policy::tokenBucket('a', 100, 10, 10)],
            ['b', 'leaky_bucket', 20, 1.0, Policy::leakyBucket('b', 20, 5)],
            ['c', 'sliding_log', 30, 60.0, Policy::slidingLog('c', 30, '1 minute')],
            ['d', 'sliding_window', 40, 0.25, Policy::slidingWindow('d', 40, '250 ms')],
            ['e', 'fixed_window', 50, 1.5, Policy::fixedWindow('e', 50, 1.5)],
            ['f', 'compound', 30, 60.0, Policy::compound('f', Policy::fixedWindow('hour', 99, 3600), Policy::fixedWindow('minute', 30, 60))],
            ['g', 'unlimited', PHP_INT_MAX, 0.0, Policy::unlimited('g')],
        ];
        foreach ($policies as [$name, $algorithm, $limit, $interval, $policy]) {
            self::assertSame([$name, $algorithm, $limit], [$policy->name, $policy->algorithm, $policy->limit]);
            if ($algorithm !== 'unlimited') {
                self::assertSame($interval, $policy->interval);
            }
        }
    }

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

    /** @dataProvider impossible */
    #[DataProvider('impossible')]
    public function testWhatCanNeverWorkIsRefusedAndTheValueNamed(callable $make, string $value): void
    {
        try {
            $make();
        } catch (InvalidPolicy $refusal) {
            self::assertStringContainsString($value, $refusal->getMessage());

            return;
        }
        self::fail('no InvalidPolicy');
    }

    /** @return array<string, array{callable, string}> */
    public static function impossible(): array
    {
        $window = static fn (int $limit, int|float|string $interval) => static fn () => Policy::fixedWindow('p', $limit, $interval);
        $named = static fn (string $name) => static fn () => Policy::fixedWindow($name, 1, 1);
        $one = Policy::fixedWindow('one', 1, 1);

        return [
            'limit 0' => [$window(0, 60), '0'],
            'limit -5' => [$window(-5, 60), '-5'],
            'interval 0' => [$window(10, 0), '0'],
            'interval -2' => [$window(10, -2), '-2'],
            'interval -0.5' => [$window(10, -0.5), '-0.5'],
            'interval "0 seconds"' => [$window(10, '0 seconds'), '0 seconds'],
            'interval NAN' => [$window(10, NAN), 'NaN'],
            'interval INF' => [$window(10, INF), 'inf'],
            'months' => [$window(10, '1 month'), '1 month'],
            'years' => [$window(10, '1 year'), '1 year'],
            'no number' => [$window(10, 'often'), 'often'],
            'empty' => [$window(10, ''), '""'],
            'negative text' => [$window(10, '-1 minute'), '-1 minute'],
            'limit x interval too large' => [static fn () => Policy::slidingWindow('p', 1_000_000_000_000, '1 day'), '1000000000000'],
            'capacity x interval too large' => [static fn () => Policy::tokenBucket('p', 1_000_000_000_000, 1, '1 day'), '1000000000000'],
            'interval too long' => [$window(1, 1e12), '1000000000000'],
            'limit PHP_INT_MAX' => [$window(PHP_INT_MAX, 1), (string) PHP_INT_MAX],
            'capacity 0' => [static fn () => Policy::tokenBucket('p', 0, 1), '0'],
            'refill 0' => [static fn () => Policy::tokenBucket('p', 1, 0), '0'],
            'refill -1' => [static fn () => Policy::tokenBucket('p', 1, -1), '-1'],
            'leak 0' => [static fn () => Policy::leakyBucket('p', 1, 0), '0'],
            'log limit 0' => [static fn () => Policy::slidingLog('p', 0, 1), '0'],
            'log too long' => [static fn () => Policy::slidingLog('p', 16_777_216, 1), '16777216'],
            'sliding limit 0' => [static fn () => Policy::slidingWindow('p', 0, 1), '0'],
            'empty name' => [$named(''), '""'],
            'name with a colon' => [$named('a:b'), 'a:b'],
            'name with a space' => [$named('a b'), 'a b'],
            'name with braces' => [$named('{a}'), '{a}'],
            'name too long' => [$named(str_repeat('x', 65)), str_repeat('x', 65)],
            'compound of nothing' => [static fn () => Policy::compound('p'), 'p'],
            'compound in compound' => [static fn () => Policy::compound('p', $one, Policy::compound('inner', $one)), 'inner'],
            'unlimited in compound' => [static fn () => Policy::compound('p', $one, Policy::unlimited('free')), 'free'],
            'equal member names' => [static fn () => Policy::compound('p', $one, $one), 'one'],
            'unlimited without a name' => [static fn () => Policy::unlimited(''), '""'],
        ];
    }

    public function testALongNameIsAllowedToTheLastByte(): void
    {
        $name = str_repeat('aZ0._-9b', 8);

        self::assertSame($name, Policy::fixedWindow($name, 1, 1)->name);
    }

    public function testItIsImmutable(): void
    {
        $policy = Policy::fixedWindow('p', 10, 60);
        self::assertNotSame($policy, $policy->failClosed());
        $policy->failClosed();
        $policy->shadow();
        $policy->shared();
        self::assertSame(Policy::fixedWindow('p', 10, 60)->toArray(), $policy->toArray());

        foreach (['name', 'algorithm', 'limit', 'interval'] as $property) {
            try {
                $policy->$property = 1;
                self::fail("$property is writable");
            } catch (\Error $error) {
                self::assertSame("Cannot modify readonly property RedisRateLimit\\Policy::\$$property", $error->getMessage());
            }
        }
        $this->expectException(\Error::class);
        $policy->other = 1;
    }

    public function testItIsMadeByItsFactoriesOnly(): void
    {
        $this->expectException(\Error::class);
        $this->expectExceptionMessageMatches('/private/');
        new Policy();
    }
}
