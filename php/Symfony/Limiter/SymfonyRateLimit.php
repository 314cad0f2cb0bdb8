<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Limiter;

use RedisRateLimit\Decision;
use Symfony\Component\RateLimiter\Exception\MaxWaitDurationExceededException;
use Symfony\Component\RateLimiter\RateLimit;

/**
 * Says a Decision in the words of Symfony's RateLimit. Waits are relative in a Decision and instants here; the
 * application compares them with its own clock, so that is the clock they are added to.
 */
final class SymfonyRateLimit
{
    public static function of(Decision $decision): RateLimit
    {
        return self::make($decision, $decision->allowed);
    }

    /** @param Decision $next what a call of cost 1 would meet: Symfony's peek, which takes nothing, is accepted itself */
    public static function ofPeek(Decision $next): RateLimit
    {
        return self::make($next, $next->allowed || !$next->degraded);
    }

    /** As Symfony has it, what can only be used later is reserved but not accepted. */
    public static function notAccepted(Decision $decision): RateLimit
    {
        return self::make($decision, false);
    }

    /**
     * @param ?float $maxTime seconds
     * @param float  $besides seconds that go by before or after the wait of the decision
     */
    public static function tooLong(Decision $decision, ?float $maxTime, RateLimit $limit, float $besides = 0.0): MaxWaitDurationExceededException
    {
        $message = match (true) {
            $decision->degraded => 'Redis is not available and the rate limit policy "%s" fails closed.',
            $maxTime === null => 'The rate limit policy "%s" refuses for longer than can be waited.',
            default => 'The rate limit policy "%s" asks for a wait of %.3F seconds, longer than the accepted %.3F seconds.',
        };

        return new MaxWaitDurationExceededException(sprintf($message, $decision->policy, $besides + self::wait($decision), $maxTime), $limit);
    }

    private static function make(Decision $decision, bool $accepted): RateLimit
    {
        return new RateLimit(self::available($decision), self::instant($decision), $accepted, $decision->limit);
    }

    /**
     * Symfony's login throttling refuses where nothing remains, whatever was decided: where Redis is away and the
     * policy fails open, or in shadow mode, nothing may read as exhausted.
     */
    private static function available(Decision $decision): int
    {
        return $decision->allowed && ($decision->degraded || $decision->shadow) ? $decision->limit : $decision->remaining;
    }

    private static function instant(Decision $decision): \DateTimeImmutable
    {
        return new \DateTimeImmutable(sprintf('@%.6F', ceil((microtime(true) + self::wait($decision)) * 1e6) / 1e6));
    }

    /** @return float seconds */
    private static function wait(Decision $decision): float
    {
        return $decision->allowed ? $decision->delay : $decision->retryAfter ?? 0.0;
    }
}
