<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Limiter;

use RedisRateLimit\Decision;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policy;
use RedisRateLimit\Testing\FakeLimiter;
use Symfony\Component\RateLimiter\Reservation;

/**
 * Makes a reservation of what the first call brought: what a queue has admitted is booked, with its delay. A refusal, by
 * a window, a log, a compound or a full queue, cannot be booked ahead: sleeps as long as it says and asks again, so that
 * each call is counted at its own time and the limit holds.
 */
final class BlockingWait
{
    /** Seconds. PHP's usleep() counts microseconds in 32 bits, which is 71 minutes. */
    private const LONGEST_SLEEP = 3600.0;

    public function __construct(private Limiter $limiter, private Policy $policy, private string $key)
    {
    }

    /**
     * @param Decision $decision of the first call
     * @param ?float   $maxTime  seconds for the sleep and what is then left to wait in a queue; null: any
     *
     * @throws \Symfony\Component\RateLimiter\Exception\MaxWaitDurationExceededException nothing was taken
     */
    public function reserve(Decision $decision, ?float $maxTime): Reservation
    {
        $start = hrtime(true);
        $waited = 0.0;
        while (!$decision->allowed) {
            $wait = $this->canPass($decision) ? $decision->retryAfter : null;
            $besides = $waited + $this->queue();
            if ($wait === null || self::isTooLong($wait + $besides, $maxTime)) {
                throw SymfonyRateLimit::tooLong($decision, $maxTime, SymfonyRateLimit::of($decision), $besides);
            }
            usleep(max(1, (int) ceil(min($wait, self::LONGEST_SLEEP) * 1e6)));
            $waited = (hrtime(true) - $start) / 1e9; // a signal may have ended the sleep
            $decision = $this->limiter->consume($this->policy, $this->key, cost: $decision->cost);
        }
        if ($decision->delay <= 0.0) {
            return new Reservation(microtime(true), SymfonyRateLimit::of($decision));
        }
        if (self::isTooLong($waited + $decision->delay, $maxTime)) {
            $this->limiter->refund($decision);
            throw SymfonyRateLimit::tooLong($decision, $maxTime, SymfonyRateLimit::notAccepted($decision), $waited);
        }

        return new Reservation(microtime(true) + $decision->delay, SymfonyRateLimit::notAccepted($decision));
    }

    /** Nobody knows when a failed Redis is back, and what a test denies stays denied. */
    private function canPass(Decision $refusal): bool
    {
        return !$refusal->degraded && !$this->limiter instanceof FakeLimiter;
    }

    /** Seconds that a leaky bucket asks for after there was no place in it: its queue is full then, whatever the cost. */
    private function queue(): float
    {
        if ($this->policy->algorithm !== 'leaky_bucket') {
            return 0.0;
        }
        /** @var array{rate: array{amount: int}} $config */
        $config = $this->policy->toArray();

        return ($this->policy->limit - 1) * $this->policy->interval / $config['rate']['amount'];
    }

    private static function isTooLong(float $seconds, ?float $maxTime): bool
    {
        return $maxTime !== null && round($seconds, 6) > $maxTime;
    }
}
