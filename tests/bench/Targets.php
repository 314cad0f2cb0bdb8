<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/** The figures that this project promises. */
final class Targets
{
    private const UNIX = 'unix socket, allowed';
    private const REFUSED = 'unix socket, refused by Redis';
    private const COST = 'what a decision costs Redis';
    private const CPU = 'CPU µs over PING';
    private const WEB = 'through nginx and PHP-FPM';

    /** @return list<array{text: string, most: float, value: ?float}> value is null where it was not measured */
    public static function of(Report $report): array
    {
        $targets = [
            ['allowed, × PING', 1.5, $report->value(self::UNIX, 'ours: token bucket', '× PING')],
            ['refused by Redis, × PING', 1.4, $report->value(self::REFUSED, 'ours: token bucket', '× PING')],
            ['refused from memory, × PING', 0.03, $report->value('refused from memory', 'ours: token bucket', '× PING')],
        ];
        foreach (['token bucket', 'sliding window', 'fixed window', 'sliding log, 1,000 entries', 'compound of 3'] as $name) {
            $targets[] = ["$name, × by hand with phpredis", 0.85, self::ratio($report, self::UNIX, '× PING', "ours: $name", "by hand: $name")];
        }
        foreach (['Laravel: Redis::throttle' => 0.6, 'Symfony: RateLimiter without lock' => 0.25, 'Symfony: RateLimiter with lock' => 0.08, 'Laravel: RateLimiter' => 0.2] as $peer => $most) {
            $targets[] = ["token bucket, × $peer", $most, self::ratio($report, 'beside frameworks, allowed', '× PING', 'ours: token bucket', $peer)];
        }
        $cpu = static fn (string $name, string $other): ?float => self::ratio($report, self::COST, self::CPU, $name, $other);
        $hash = 'by hand: token bucket in a hash, allowed';
        array_push(
            $targets,
            ['server CPU of a token bucket, × in a hash', 0.8, $cpu('ours: token bucket, allowed', $hash)],
            ['server CPU of a refused token bucket, × in a hash, refused', 0.6, $cpu('ours: token bucket, refused', 'by hand: token bucket in a hash, refused')],
            ['server CPU of a compound of 3, × one', 2.0, $cpu('ours: compound of 3, allowed', 'ours: token bucket, allowed')],
            ['server CPU of a log with 10,000 entries, × token bucket', 1.5, $cpu('ours: sliding log, 10,000 entries, allowed', 'ours: token bucket, allowed')],
            ['worker CPU of a web request over an empty script, × by hand', 0.8, self::ratio($report, self::WEB, 'over empty µs', 'ours', 'by hand: phpredis, pconnect, EVALSHA')],
            ['commands per second that Redis sees of 10,000 refusals per second', 20, $report->value('a client that is refused 10,000 times a second', 'commands that Redis saw', 'per second')],
        );

        return array_map(static fn (array $target): array => array_combine(['text', 'most', 'value'], $target), $targets);
    }

    private static function ratio(Report $report, string $group, string $column, string $name, string $other): ?float
    {
        $divisor = $report->value($group, $other, $column);

        return $divisor ? $report->value($group, $name, $column) / $divisor : null;
    }
}
