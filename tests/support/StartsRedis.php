<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/** For a test class: a real Redis of its own, whose clock the tests set. */
trait StartsRedis
{
    /** 2023-11-15 00:00:00 UTC: aligned windows begin here too. */
    protected const T0 = 1_700_006_400;

    protected static ?Clock $clock = null;
    protected static ?RedisServer $redis = null;

    public static function setUpBeforeClass(): void
    {
        self::$clock = new Clock(self::T0);
        self::$redis = new RedisServer([], self::$clock);
    }

    public static function tearDownAfterClass(): void
    {
        self::$redis = null;
        self::$clock = null;
    }

    /** For setUp(): each test begins with nothing, at T0. */
    protected static function emptyRedis(): void
    {
        self::$redis->command('FLUSHALL');
        self::$clock->set(self::T0);
    }
}
