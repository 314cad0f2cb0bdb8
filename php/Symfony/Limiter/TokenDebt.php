<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Limiter;

use RedisRateLimit\Decision;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policy;
use Symfony\Component\RateLimiter\Exception\MaxWaitDurationExceededException;
use Symfony\Component\RateLimiter\RateLimit;
use Symfony\Component\RateLimiter\Reservation;

/**
 * Reserves tokens that a bucket does not hold yet. A leaky bucket of the same name and rate is the same state in Redis
 * that may go below zero: it lends the tokens and says how long they take to come in. It lends as many as the bucket
 * holds, for a bucket takes a deeper debt for a clock that fell back, and forgets it; who wants more waits.
 */
final class TokenDebt
{
    /** A queue's arithmetic is exact to 2^52; half of it leaves room for the tokens themselves. */
    private const LARGEST_PRODUCT = 2 ** 51;

    public function __construct(private Limiter $limiter, private Policy $policy, private string $key)
    {
    }

    /**
     * @param int    $there   the tokens that the bucket holds now: taken first, since the lender sees only one of them
     * @param ?float $maxTime seconds
     *
     * @throws MaxWaitDurationExceededException nothing was taken
     */
    public function reserve(int $tokens, int $there, ?float $maxTime): Reservation
    {
        $taken = $this->take($there);
        $lender = $this->lender();
        $lent = $this->limiter->consume($lender, $this->key, cost: $tokens - ($taken === null ? 0 : $there));
        try {
            $reservation = (new BlockingWait($this->limiter, $lender, $this->key))->reserve($lent, $maxTime);
        } catch (MaxWaitDurationExceededException $e) {
            if ($taken !== null) {
                $this->limiter->refund($taken);
            }
            throw new MaxWaitDurationExceededException($e->getMessage(), $this->limit($e->getRateLimit()));
        }

        return new Reservation($reservation->getTimeToAct(), $this->limit($reservation->getRateLimit()));
    }

    /** @return ?Decision null: there was nothing, or others were quicker */
    private function take(int $there): ?Decision
    {
        $decision = $there > 0 ? $this->limiter->consume($this->policy, $this->key, cost: $there) : null;

        return $decision !== null && $decision->allowed ? $decision : null;
    }

    private function limit(RateLimit $ofLender): RateLimit
    {
        return new RateLimit(0, $ofLender->getRetryAfter(), $ofLender->isAccepted(), $this->policy->limit);
    }

    private function lender(): Policy
    {
        $microseconds = (int) ceil($this->policy->interval * 1e6);
        $queue = max(1, min($this->policy->limit + 1, intdiv(self::LARGEST_PRODUCT, $microseconds)));

        return Policy::fromArray($this->policy->name, array_replace($this->policy->toArray(), ['policy' => 'leaky_bucket', 'limit' => $queue]));
    }
}
