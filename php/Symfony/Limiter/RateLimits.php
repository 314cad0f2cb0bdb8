<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Limiter;

use RedisRateLimit\Decision;
use Symfony\Component\RateLimiter\RateLimit;

/**
 * Says a Decision in the words of Symfony's RateLimit. Waits are relative in a Decision and instants here; the
 * application compares them with its own clock, so that is the clock they are added to.
 */
final class RateLimits
{
    public static function of(Decision $decision): RateLimit
    {
        return self::make($decision, self::wait($decision), $decision->allowed);
    }

    /** @param Decision $next what a call of cost 1 would meet: Symfony's peek, which takes nothing, is accepted itself */
    public static function ofPeek(Decision $next): RateLimit
    {
        return self::make($next, self::wait($next), $next->allowed || !$next->degraded);
    }

    /** As Symfony has it, what can only be used later is reserved but not accepted. */
    public static function ofReservation(Decision $decision): RateLimit
    {
        return self::make($decision, self::wait($decision), $decision->allowed && $decision->delay <= 0.0);
    }

    public static function refused(Decision $decision): RateLimit
    {
        return self::make($decision, self::wait($decision), false);
    }

    /** @return float seconds */
    public static function wait(Decision $decision): float
    {
        return $decision->allowed ? $decision->delay : $decision->retryAfter ?? 0.0;
    }

    private static function make(Decision $decision, float $wait, bool $accepted): RateLimit
    {
        $instant = new \DateTimeImmutable(sprintf('@%.6F', ceil((microtime(true) + $wait) * 1e6) / 1e6));

        return new RateLimit(self::available($decision), $instant, $accepted, $decision->limit);
    }

    /**
     * Symfony's login throttling refuses where nothing remains, whatever was decided: where Redis is away and the
     * policy fails open, or in shadow mode, nothing may read as exhausted.
     */
    private static function available(Decision $decision): int
    {
        return $decision->allowed && ($decision->degraded || $decision->shadow) ? $decision->limit : $decision->remaining;
    }
}
