<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Limiter;

use RedisRateLimit\Decision;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policy;
use RedisRateLimit\Testing\FakeLimiter;
use Symfony\Component\RateLimiter\LimiterInterface;
use Symfony\Component\RateLimiter\RateLimit;
use Symfony\Component\RateLimiter\Reservation;

/** One key of a policy as Symfony's LimiterInterface. */
final class RedisLimiter implements LimiterInterface
{
    public function __construct(private Limiter $limiter, private Policy $policy, private string $key)
    {
    }

    /**
     * What is reserved is taken at once. A token bucket lends as many tokens as it holds, and leaky buckets have a queue:
     * the Reservation says when to act. Nothing can be booked ahead in windows, logs, compounds and buckets that are
     * booked up: there reserve() itself sleeps until it is admitted.
     *
     * @param int    $tokens  0: looks without taking or waiting
     * @param ?float $maxTime longest acceptable wait in seconds; null: any
     *
     * @throws \Symfony\Component\RateLimiter\Exception\MaxWaitDurationExceededException nothing was taken
     * @throws \InvalidArgumentException for more tokens than the policy ever holds
     */
    public function reserve(int $tokens = 1, ?float $maxTime = null): Reservation
    {
        if ($tokens === 0) {
            return new Reservation(microtime(true), $this->consume(0));
        }
        $decision = $this->take($tokens);
        if ($this->canLend($decision, $maxTime)) {
            return (new TokenDebt($this->limiter, $this->policy, $this->key))->reserve($tokens, $decision->remaining, $maxTime);
        }

        return (new BlockingWait($this->limiter, $this->policy, $this->key))->reserve($decision, $maxTime);
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

    /** Only a bucket that refused because of what it holds; one that a test denies would be asked, and remembered, twice. */
    private function canLend(Decision $decision, ?float $maxTime): bool
    {
        return $this->policy->algorithm === 'token_bucket'
            && !$decision->allowed && !$decision->degraded
            && ($maxTime === null || ($decision->retryAfter ?? 0.0) <= $maxTime)
            && !$this->limiter instanceof FakeLimiter;
    }
}
