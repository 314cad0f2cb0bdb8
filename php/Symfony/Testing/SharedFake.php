<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Testing;

use RedisRateLimit\Policies;
use RedisRateLimit\Testing\FakeLimiter;
use Symfony\Component\HttpKernel\KernelInterface;

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

    /**
     * What a test tells the fake, nobody hears where the application asks Redis.
     *
     * @throws \LogicException where the application does not ask the fake
     */
    public static function mustBeUsedBy(KernelInterface $kernel, bool $isBooted): void
    {
        if (!$isBooted) {
            $kernel->boot();
        }
        $isUsed = $kernel->getContainer()->has(FakeLimiter::class);
        if (!$isBooted) {
            $kernel->shutdown();
        }
        if (!$isUsed) {
            throw new \LogicException(sprintf(
                'The application does not ask the fake about its rate limits: configure "redis_rate_limit: { fake: true }" under "when@%s" in config/packages/redis_rate_limit.yaml.',
                $kernel->getEnvironment(),
            ));
        }
    }

    public static function forget(): void
    {
        self::$limiter = null;
    }
}
