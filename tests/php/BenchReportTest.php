<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\Bench\Chart;
use RedisRateLimit\Bench\Environment;
use RedisRateLimit\Bench\Floors;
use RedisRateLimit\Bench\Measurements\CostAgainstSize;
use RedisRateLimit\Bench\Report;
use RedisRateLimit\Bench\Result;
use RedisRateLimit\Tests\Support\RedisServer;

/** What `make bench` writes down once it has measured. */
final class BenchReportTest extends TestCase
{
    private const ALLOWED = 'unix socket, allowed';

    public function testWritesWhatWasMeasuredRounded(): void
    {
        $report = self::report(new Result(self::ALLOWED, 'ours: token bucket', 'µs', 31.96249));

        self::assertSame([self::ALLOWED => ['ours: token bucket' => ['µs' => 31.962]]], self::decode($report)['results']);
    }

    public function testWritesWhatItWasMeasuredWith(): void
    {
        $written = json_decode((new Report())->json(Environment::with(new RedisServer())), true)['measured_with'];

        self::assertSame(PHP_VERSION, $written['php']);
        self::assertSame(phpversion('ratelimit'), $written['ratelimit']);
        self::assertSame(sprintf('%s %s %s', php_uname('s'), php_uname('r'), php_uname('m')), $written['system']);
        self::assertMatchesRegularExpression('/^\d+\.\d+\.\d+$/', $written['redis']);
        self::assertNotSame('', $written['processor']);
    }

    public function testHoldsWhatWasMeasuredToTheTargetsWithTheirFloors(): void
    {
        $report = self::report(
            new Result(self::ALLOWED, 'ours: token bucket', '× PING', 1.6),
            new Result(self::ALLOWED, 'by hand: token bucket', '× PING', 2.0),
            new Result(self::ALLOWED, Floors::ONE, '× PING', 1.5),
        );

        self::assertSame([
            ['text' => 'allowed, × PING', 'most' => 1.5, 'value' => 1.6, 'kept' => false, 'floor' => 1.5],
            ['text' => 'token bucket, allowed, × by hand with phpredis', 'most' => 0.85, 'value' => 0.8, 'kept' => true, 'floor' => 0.75],
        ], self::decode($report)['targets']);
        self::assertMatchesRegularExpression('/^allowed, × PING +1\.600  at most  1\.50  MISSED  floor  1\.500$/m', $report->targets());
        self::assertMatchesRegularExpression('/ 0\.800  at most  0\.85  kept    floor  0\.750$/m', $report->targets());
    }

    public function testDrawsWhatWasMeasured(): void
    {
        $report = self::report(
            new Result(self::ALLOWED, 'ours: token bucket', '× PING', 1.6),
            new Result('beside frameworks, allowed', 'Laravel: RateLimiter', '× PING', 7.5),
            new Result(CostAgainstSize::GROUP, 'sliding log with 10 entries', '1,000 keys', 26_235.0),
            new Result(CostAgainstSize::GROUP, 'sliding log with 100,000 entries', '1,000 keys', 21_747.0),
        );

        $svg = new \DOMDocument();
        self::assertTrue($svg->loadXML((new Chart($report))->svg()));
        foreach (['1.6', '7.5', 'Laravel: RateLimiter', 'sliding log, 1,000 keys', '100,000'] as $text) {
            self::assertStringContainsString(">$text</text>", $svg->saveXML());
        }
    }

    private static function report(Result ...$results): Report
    {
        $report = new Report();
        $report->add(json_decode(json_encode($results), true));

        return $report;
    }

    private static function decode(Report $report): array
    {
        return json_decode($report->json([]), true);
    }
}
