<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Testing;

use RedisRateLimit\Testing\FakeLimiter;

/** The fake of a test process: a test client boots a new container for each request, and the fake must outlive them. */
final class SharedFake
{
    private static ?FakeLimiter $limiter = null;

    public static function limiter(): FakeLimiter
    {
        return self::$limiter ??= new FakeLimiter();
    }

    public static function forget(): void
    {
        self::$limiter = null;
    }
}
