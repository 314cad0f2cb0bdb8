<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Shared;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\InvalidPolicy;
use RedisRateLimit\Policies;
use RedisRateLimit\Policy;
use RedisRateLimit\UnknownPolicy;

final class PoliciesTest extends TestCase
{
    private const WINDOW = ['policy' => 'fixed_window', 'limit' => 5, 'interval' => '1 minute'];

    public function testAPolicyIsBuiltOnceWhenItIsAskedFor(): void
    {
        $ready = Policy::unlimited('free');
        $policies = new Policies(['api' => self::WINDOW, 'free' => $ready, '2024' => self::WINDOW, 'bad' => ['policy' => 'magic']]);
        $this->assertSame(['api', 'free', '2024', 'bad'], $policies->names());
        $this->assertSame(5, $policies->get('api')->limit);
        $this->assertSame($policies->get('api'), $policies->get('api'));
        $this->assertSame($ready, $policies->get('free'));
        $this->assertSame('2024', $policies->get('2024')->name);
        $this->expectException(InvalidPolicy::class);
        $policies->get('bad');
    }

    public function testAFailureRuleHoldsForWhatNamesNone(): void
    {
        $policies = new Policies(['api' => self::WINDOW, 'own' => self::WINDOW + ['on_failure' => 'open'], 'ready' => Policy::unlimited('ready')], 'closed');
        $this->assertSame('closed', $policies->get('api')->toArray()['on_failure']);
        $this->assertSame('open', $policies->get('own')->toArray()['on_failure']);
        $this->assertArrayNotHasKey('on_failure', $policies->get('ready')->toArray());
        $this->assertArrayNotHasKey('on_failure', (new Policies(['api' => self::WINDOW]))->get('api')->toArray());
    }

    public function testWhatIsNoPolicyIsNamed(): void
    {
        $this->expectException(InvalidPolicy::class);
        $this->expectExceptionMessage('The rate limit policy "api" is configured as string: give an array, as ["policy" => "fixed_window", "limit" => 60, "interval" => "1 minute"].');
        (new Policies(['api' => 'fixed_window']))->get('api');
    }

    public function testAll(): void
    {
        $all = (new Policies(['a' => self::WINDOW, 'b' => self::WINDOW]))->all();
        $this->assertSame(['a' => 'a', 'b' => 'b'], array_map(static fn (Policy $policy): string => $policy->name, $all));
    }

    public function testAnUnknownNameIsToldBesideTheKnownOnes(): void
    {
        try {
            (new Policies(['api' => self::WINDOW, 'export' => self::WINDOW]))->get('apy');
            $this->fail('there is no such policy');
        } catch (UnknownPolicy $exception) {
            $this->assertSame('There is no rate limit policy "apy": known are "api", "export".', $exception->getMessage());
            $this->assertInstanceOf(\InvalidArgumentException::class, $exception);
            $this->assertInstanceOf(\RedisRateLimit\Exception::class, $exception);
        }
        $this->expectExceptionMessage('none is configured');
        (new Policies())->get('apy');
    }
}
