<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Limiter;

use RedisRateLimit\Limiter;
use RedisRateLimit\Policy;
use Symfony\Component\RateLimiter\Reservation;

/**
 * Reserves tokens that a bucket does not hold yet. A leaky bucket of the same name and rate is the same state in Redis
 * that may go below zero: it lends the tokens and says how long they take to come in.
 */
final class TokenDebt
{
    private const LONGEST_QUEUE = 1_000_000;

    /** A queue's arithmetic is exact to 2^52; half of it leaves room for the tokens themselves. */
    private const LARGEST_PRODUCT = 2 ** 51;

    public function __construct(private Limiter $limiter, private Policy $policy, private string $key)
    {
    }

    /**
     * @param int    $there   the tokens that the bucket holds now: taken first, since the lender sees only one of them
     * @param ?float $maxTime seconds
     *
     * @throws \Symfony\Component\RateLimiter\Exception\MaxWaitDurationExceededException nothing was taken
     */
    public function reserve(int $tokens, int $there, ?float $maxTime): Reservation
    {
        $held = $there > 0 ? $this->limiter->consume($this->policy, $this->key, cost: $there) : null;
        $taken = $held !== null && $held->allowed ? [$held] : [];
        $lent = $this->limiter->consume($this->lender(), $this->key, cost: $tokens - ($taken === [] ? 0 : $there));
        $limit = SymfonyRateLimit::lent($lent, $this->policy->limit);
        if ($lent->allowed && ($maxTime === null || $lent->delay <= $maxTime)) {
            return new Reservation(microtime(true) + $lent->delay, $limit);
        }
        array_map($this->limiter->refund(...), $lent->allowed ? [$lent, ...$taken] : $taken);

        throw SymfonyRateLimit::tooLong($lent, $maxTime, $limit);
    }

    private function lender(): Policy
    {
        $config = $this->policy->toArray();
        $microseconds = (int) ceil($this->policy->interval * 1e6);
        $queue = max(1, min(self::LONGEST_QUEUE, intdiv(self::LARGEST_PRODUCT, $microseconds)));

        return Policy::fromArray($this->policy->name, array_replace($config, ['policy' => 'leaky_bucket', 'limit' => $queue]));
    }
}
