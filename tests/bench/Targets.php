<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/** The figures that this project aims at, each from a report that has it. */
final class Targets
{
    private const REDIS = ['allowed' => 'unix socket, allowed', 'refused' => 'unix socket, refused by Redis'];
    private const BY_HAND = [
        'token bucket' => 'token bucket',
        'leaky bucket' => 'token bucket',
        'sliding window' => 'sliding window',
        'fixed window' => 'fixed window',
        'sliding log, 1,000 entries' => 'sliding log, 1,000 entries',
        'audit log, 1,000 entries' => 'sliding log, 1,000 entries',
        'compound of 3' => 'compound of 3',
    ];
    private const FRAMEWORKS = [
        'Laravel: Redis::throttle' => 0.6,
        'Laravel: RateLimiter' => 0.2,
        'Symfony: RateLimiter without lock' => 0.25,
        'Symfony: RateLimiter with lock' => 0.08,
    ];

    private function __construct(private readonly Report $report)
    {
    }

    /** @return list<Target> those that were measured */
    public static function of(Report $report): array
    {
        $targets = new self($report);

        return array_values(array_filter([
            ...$targets->besidePing(),
            ...$targets->besideScriptsByHand(),
            ...$targets->besideFrameworks(),
            ...$targets->cost(),
        ]));
    }

    /** @return list<?Target> */
    private function besidePing(): array
    {
        $ping = fn (string $group, string $name): ?float => $this->report->value($group, $name, '× PING');
        $memory = 'refused from memory';

        return [
            self::target('allowed, × PING', 1.5, $ping(self::REDIS['allowed'], 'ours: token bucket'), $ping(self::REDIS['allowed'], Floors::ONE)),
            self::target('refused by Redis, × PING', 1.4, $ping(self::REDIS['refused'], 'ours: token bucket'), $ping(self::REDIS['refused'], Floors::ONE)),
            self::target('refused from memory, × PING', 0.03, $ping($memory, 'ours: token bucket'), $ping($memory, DecisionLike::NAME)),
        ];
    }

    /** @return list<?Target> */
    private function besideScriptsByHand(): array
    {
        $targets = [];
        foreach (self::REDIS as $outcome => $group) {
            foreach (self::BY_HAND as $ours => $theirs) {
                $ratio = fn (string $name): ?float => $this->ratio($group, '× PING', $name, "by hand: $theirs");
                $floor = $ours === 'compound of 3' ? Floors::THREE : Floors::ONE;
                $targets[] = self::target("$ours, $outcome, × by hand with phpredis", 0.85, $ratio("ours: $ours"), $ratio($floor));
            }
        }

        return $targets;
    }

    /** @return list<?Target> */
    private function besideFrameworks(): array
    {
        $targets = [];
        foreach (self::FRAMEWORKS as $peer => $most) {
            $ratio = fn (string $name): ?float => $this->ratio('beside frameworks, allowed', '× PING', $name, $peer);
            $targets[] = self::target("token bucket, × $peer", $most, $ratio('ours: token bucket'), $ratio(Floors::ONE));
        }

        return $targets;
    }

    /** @return list<?Target> */
    private function cost(): array
    {
        $cpu = fn (string $name, string $other): ?float => $this->ratio('what a decision costs Redis', 'CPU µs over PING', $name, $other);
        [$bucket, $hash] = ['ours: token bucket', 'by hand: token bucket in a hash'];
        $three = $cpu(Floors::THREE . ', allowed', Floors::ONE . ', allowed');
        $web = $this->ratio('through nginx and PHP-FPM', 'over empty µs', 'ours', 'by hand: phpredis, pconnect, EVALSHA');
        $flood = $this->report->value('a client that is refused 10,000 times a second', 'commands that Redis saw', 'per second');

        return [
            self::target('server CPU of a token bucket, × in a hash', 0.8, $cpu("$bucket, allowed", "$hash, allowed"), $cpu(Floors::ONE . ', allowed', "$hash, allowed")),
            self::target('server CPU of a token bucket, refused, × in a hash', 0.6, $cpu("$bucket, refused", "$hash, refused"), $cpu(Floors::ONE . ', refused', "$hash, refused")),
            self::target('server CPU of a compound of 3, × one', 2.0, $cpu('ours: compound of 3, allowed', "$bucket, allowed"), $three),
            self::target('server CPU of a log with 10,000 entries, × token bucket', 1.5, $cpu('ours: sliding log, 10,000 entries, allowed', "$bucket, allowed")),
            self::target('worker CPU of a web request over an empty script, × by hand', 0.8, $web),
            self::target('commands per second that Redis sees of 10,000 refusals per second', 20, $flood),
        ];
    }

    private static function target(string $text, float $most, ?float $value, ?float $floor = null): ?Target
    {
        return $value === null ? null : new Target($text, $most, $value, $floor);
    }

    private function ratio(string $group, string $column, string $name, string $other): ?float
    {
        [$own, $others] = [$this->report->value($group, $name, $column), $this->report->value($group, $other, $column)];

        return $own !== null && $others ? $own / $others : null;
    }
}
