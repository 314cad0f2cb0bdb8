<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Testing;

use RedisRateLimit\Policies;
use RedisRateLimit\Testing\FakeLimiter;

/** The fake of a test process: a test client boots a new container for each request, and the fake must outlive them. */
final class SharedFake
{
    private static ?FakeLimiter $limiter = null;

    /** @param ?Policies $policies what the container knows; a test may ask before there is one */
    public static function limiter(?Policies $policies = null): FakeLimiter
    {
        self::$limiter ??= new FakeLimiter();

        return $policies === null ? self::$limiter : self::$limiter->knowing($policies->names(...));
    }

    public static function forget(): void
    {
        self::$limiter = null;
    }
}
