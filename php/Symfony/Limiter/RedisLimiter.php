<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Limiter;

use RedisRateLimit\Decision;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policy;
use Symfony\Component\RateLimiter\Exception\MaxWaitDurationExceededException;
use Symfony\Component\RateLimiter\Exception\ReserveNotSupportedException;
use Symfony\Component\RateLimiter\LimiterInterface;
use Symfony\Component\RateLimiter\RateLimit;
use Symfony\Component\RateLimiter\Reservation;

/** One key of a policy as Symfony's LimiterInterface. */
final class RedisLimiter implements LimiterInterface
{
    private const RESERVABLE = ['token_bucket', 'leaky_bucket', 'unlimited'];

    public function __construct(private Limiter $limiter, private Policy $policy, private string $key)
    {
    }

    /**
     * For token buckets, leaky buckets and unlimited policies; what is reserved is taken at once.
     *
     * @param ?float $maxTime longest acceptable wait in seconds; null: any
     *
     * @throws MaxWaitDurationExceededException nothing was taken
     * @throws ReserveNotSupportedException     for policies of another algorithm
     * @throws \InvalidArgumentException        for more tokens than the policy ever holds
     */
    public function reserve(int $tokens = 1, ?float $maxTime = null): Reservation
    {
        if (!in_array($this->policy->algorithm, self::RESERVABLE, true)) {
            throw new ReserveNotSupportedException(self::class);
        }
        $taken = [$this->take($tokens)];
        if ($this->policy->algorithm === 'token_bucket' && self::isWorthWaiting($taken[0], $maxTime)) {
            $taken = (new TokenDebt($this->limiter, $this->policy, $this->key))->take($tokens, $taken[0]->remaining);
        }
        $decision = $taken[0];
        if (!$decision->allowed || ($maxTime !== null && $decision->delay > $maxTime)) {
            array_map($this->limiter->refund(...), array_filter($taken, static fn (Decision $decision): bool => $decision->allowed));
            throw self::tooLong($decision, $maxTime);
        }

        return new Reservation(microtime(true) + $decision->delay, RateLimits::ofReservation($decision));
    }

    /**
     * @param int $tokens 0: looks without taking
     *
     * @throws \InvalidArgumentException for more tokens than the policy ever holds
     */
    public function consume(int $tokens = 1): RateLimit
    {
        return $tokens === 0
            ? RateLimits::ofPeek($this->limiter->peek($this->policy, $this->key))
            : RateLimits::of($this->take($tokens));
    }

    /** @throws \RedisRateLimit\StoreUnavailable */
    public function reset(): void
    {
        $this->limiter->reset($this->policy, $this->key);
    }

    private function take(int $tokens): Decision
    {
        $decision = $this->limiter->consume($this->policy, $this->key, cost: $tokens);
        if ($decision->reason === 'cost_exceeds_limit') {
            throw new \InvalidArgumentException(sprintf('The rate limit policy "%s" never holds %d tokens, its limit is %d.', $this->policy->name, $tokens, $decision->limit));
        }

        return $decision;
    }

    private static function isWorthWaiting(Decision $decision, ?float $maxTime): bool
    {
        return !$decision->allowed && !$decision->degraded && ($maxTime === null || $decision->retryAfter <= $maxTime);
    }

    private static function tooLong(Decision $decision, ?float $maxTime): MaxWaitDurationExceededException
    {
        $message = match (true) {
            $decision->degraded => 'Redis is not available and the rate limit policy "%s" fails closed.',
            $maxTime === null => 'The queue of the rate limit policy "%s" is full.',
            default => 'The rate limit policy "%s" asks for a wait of %.3F seconds, longer than the accepted %.3F seconds.',
        };

        return new MaxWaitDurationExceededException(
            sprintf($message, $decision->policy, RateLimits::wait($decision), $maxTime),
            RateLimits::refused($decision),
        );
    }
}
