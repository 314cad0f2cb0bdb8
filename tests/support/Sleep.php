<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/** Sleep of the code under test, without waiting: it moves the test's clock (see limiter-time.php). */
final class Sleep
{
    /** @var list<int> what was slept, in microseconds */
    public static array $slept = [];

    private static ?Clock $clock = null;
    private static ?\Closure $meanwhile = null;

    /** @param ?Clock $clock null: nothing may sleep, and the time is the machine's */
    public static function by(?Clock $clock): void
    {
        self::$clock = $clock;
        self::$meanwhile = null;
        self::$slept = [];
    }

    /** @param \Closure(int): void $call what others do during a sleep, at its end: it is given the number of sleeps so far */
    public static function meanwhile(\Closure $call): void
    {
        self::$meanwhile = $call;
    }

    public static function for(int $microseconds): void
    {
        if (self::$clock === null) {
            throw new \LogicException("A test that sets no clock was to sleep for $microseconds µs.");
        }
        self::$slept[] = $microseconds;
        self::$clock->setMicroseconds(self::$clock->microseconds() + $microseconds);
        if (self::$meanwhile !== null) {
            (self::$meanwhile)(count(self::$slept));
        }
    }

    public static function nanoseconds(): int
    {
        return self::$clock === null ? hrtime(true) : self::$clock->microseconds() * 1_000;
    }
}
