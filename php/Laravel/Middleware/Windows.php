<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Middleware;

use RedisRateLimit\Decision;
use RedisRateLimit\Http\Refusal;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policy;
use Symfony\Component\HttpKernel\Exception\ServiceUnavailableHttpException;

/**
 * Asks the Limits of one request in one round trip: all are charged, or none. What is settled together lives in one
 * slot of a Redis Cluster: here what belongs to one named limiter.
 *
 * @phpstan-import-type Limit from ThrottlePolicy
 */
final class Windows
{
    /** No counter of the extension reaches that far: Limit::none() inside an array, for one. */
    private const UNLIMITED = 1 << 40;

    /** Seconds; what is shorter is over before anybody can be counted in it. */
    private const SHORTEST = 0.000001;

    /** @param 'open'|'closed'|null $onFailure null: the ini setting */
    public function __construct(private readonly Limiter $limiter, private readonly ?string $onFailure)
    {
    }

    /**
     * @param array<int, Limit> $limits
     * @param ?string           $name   of the limiter they come from
     *
     * @return array<int, Window> by the keys of $limits; none for what has no limit or could not be asked
     */
    public function consume(array $limits, ?string $name): array
    {
        return $this->ask($limits, $name, $this->limiter->consume(...));
    }

    /**
     * @param array<int, Limit> $limits
     * @param ?string           $name   of the limiter they come from
     *
     * @return array<int, Window> as consume(), but nothing is taken
     */
    public function peek(array $limits, ?string $name): array
    {
        return $this->ask($limits, $name, $this->limiter->peek(...));
    }

    /**
     * @param array<int, Limit>                  $limits
     * @param \Closure(Policy, string): Decision $call
     *
     * @return array<int, Window>
     */
    private function ask(array $limits, ?string $name, \Closure $call): array
    {
        $known = $counted = [];
        foreach ($limits as $i => $limit) {
            $seconds = ThrottlePolicy::seconds($limit);
            if ($limit->maxAttempts < 1) {
                return [$i => Window::closed($seconds)];
            }
            if ($limit->maxAttempts >= self::UNLIMITED) {
                continue;
            }
            if ($seconds < self::SHORTEST) {
                $known[$i] = Window::over($limit->maxAttempts);
            } else {
                $counted[$i] = $limit;
            }
        }

        return $counted === [] ? $known : $known + $this->count($counted, $name, $call);
    }

    /**
     * @param non-empty-array<int, Limit>        $limits
     * @param \Closure(Policy, string): Decision $call
     *
     * @return array<int, Window>
     */
    private function count(array $limits, ?string $name, \Closure $call): array
    {
        $throttle = new ThrottlePolicy($limits, $name, $this->onFailure);
        $decision = $call($throttle->policy, $throttle->tenant);
        if ($decision->degraded && !$decision->allowed) {
            throw new ServiceUnavailableHttpException(Refusal::retryAfter($decision), Refusal::message($decision));
        }

        return $throttle->windows($decision);
    }
}
