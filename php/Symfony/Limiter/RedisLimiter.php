<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Limiter;

use RedisRateLimit\Decision;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policy;
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
     * @throws \Symfony\Component\RateLimiter\Exception\MaxWaitDurationExceededException nothing was taken
     * @throws ReserveNotSupportedException for policies of another algorithm
     * @throws \InvalidArgumentException    for more tokens than the policy ever holds
     */
    public function reserve(int $tokens = 1, ?float $maxTime = null): Reservation
    {
        if (!in_array($this->policy->algorithm, self::RESERVABLE, true)) {
            throw new ReserveNotSupportedException(sprintf('%s, a %s: only policies of token_bucket, leaky_bucket and no_limit can be waited for', $this->policy->name, $this->policy->algorithm));
        }
        $decision = $this->take($tokens);
        if ($this->policy->algorithm === 'token_bucket' && self::isWorthWaiting($decision, $maxTime)) {
            return (new TokenDebt($this->limiter, $this->policy, $this->key))->reserve($tokens, $decision->remaining, $maxTime);
        }
        if (!$decision->allowed) {
            throw SymfonyRateLimit::tooLong($decision, $maxTime, SymfonyRateLimit::of($decision));
        }
        if ($maxTime !== null && $decision->delay > $maxTime) {
            $this->limiter->refund($decision);
            throw SymfonyRateLimit::tooLong($decision, $maxTime, SymfonyRateLimit::notAccepted($decision));
        }
        $limit = $decision->delay > 0.0 ? SymfonyRateLimit::notAccepted($decision) : SymfonyRateLimit::of($decision);

        return new Reservation(microtime(true) + $decision->delay, $limit);
    }

    /**
     * @param int $tokens 0: looks without taking
     *
     * @throws \InvalidArgumentException for more tokens than the policy ever holds
     */
    public function consume(int $tokens = 1): RateLimit
    {
        return $tokens === 0
            ? SymfonyRateLimit::ofPeek($this->limiter->peek($this->policy, $this->key))
            : SymfonyRateLimit::of($this->take($tokens));
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
        return !$decision->allowed && !$decision->degraded && ($maxTime === null || ($decision->retryAfter ?? 0.0) <= $maxTime);
    }
}
