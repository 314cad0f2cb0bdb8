<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RedisRateLimit\InvalidPolicy;
use RedisRateLimit\Policy;

/** A policy that can never work is refused when it is made, and the value at fault is named. */
final class PolicyValidationTest extends TestCase
{
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
            'a bucket that fills in 2^53' => [static fn () => Policy::tokenBucket('p', 2 ** 53, 1, '1 us'), '9007199254740992'],
            'a queue that drains in 2^52' => [static fn () => Policy::leakyBucket('p', 2 ** 52, 1, '1 us'), '4503599627370496'],
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
}
