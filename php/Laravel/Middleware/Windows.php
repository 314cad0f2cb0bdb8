<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Middleware;

use RedisRateLimit\Decision;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policy;
use Symfony\Component\HttpKernel\Exception\ServiceUnavailableHttpException;

/**
 * Asks Laravel's Limits as fixed windows of one compound policy: one round trip, all charged or none. A Limit's key is
 * in its member's name, so that a budget is the same in whichever company its Limit comes. The members of a compound
 * live in one slot of a Redis Cluster: here those of one named limiter.
 */
final class Windows
{
    private const POLICY = 'throttle';

    /** No counter of the extension reaches further: Limit::none() inside an array, for one. */
    private const UNLIMITED = 1 << 40;

    /** @param string $onFailure "open" or "closed" */
    public function __construct(private readonly Limiter $limiter, private readonly string $onFailure)
    {
    }

    /**
     * @param array<int, object{key: string, maxAttempts: int}> $limits
     * @param ?string                                           $name   of the limiter they come from
     *
     * @return array<int, Window> by the keys of $limits; none for what has no limit or could not be asked
     */
    public function consume(array $limits, ?string $name): array
    {
        return $this->ask($limits, $name, $this->limiter->consume(...));
    }

    /**
     * @param array<int, object{key: string, maxAttempts: int}> $limits
     * @param ?string                                           $name   of the limiter they come from
     *
     * @return array<int, Window> as consume(), but nothing is taken
     */
    public function peek(array $limits, ?string $name): array
    {
        return $this->ask($limits, $name, $this->limiter->peek(...));
    }

    /**
     * @param array<int, object>                       $limits
     * @param \Closure(Policy, string): Decision       $call
     *
     * @return array<int, Window>
     */
    private function ask(array $limits, ?string $name, \Closure $call): array
    {
        $limits = array_filter($limits, static fn (object $limit): bool => $limit->maxAttempts < self::UNLIMITED);
        if ($limits === []) {
            return [];
        }
        foreach ($limits as $i => $limit) {
            if ($limit->maxAttempts < 1) {
                return [$i => self::closed(self::seconds($limit))];
            }
        }
        $members = self::members($limits);
        $policy = Policy::compound(self::POLICY, ...array_values($members));
        $policy = $this->onFailure === 'closed' ? $policy->failClosed() : $policy->failOpen();
        $decision = $call($policy, $name ?? self::hash(reset($limits)));
        if ($decision->degraded && !$decision->allowed) {
            throw new ServiceUnavailableHttpException(null, 'The rate limit cannot be checked at the moment.');
        }

        return self::windows($decision, $members);
    }

    /**
     * @param array<int, object> $limits
     *
     * @return array<int, Policy>
     */
    private static function members(array $limits): array
    {
        $members = [];
        $names = [];
        foreach ($limits as $i => $limit) {
            $seconds = self::seconds($limit);
            $name = self::hash($limit) . '-' . $seconds;
            $names[$name] = ($names[$name] ?? 0) + 1;
            $members[$i] = Policy::fixedWindow($names[$name] === 1 ? $name : "$name-$names[$name]", (int) $limit->maxAttempts, $seconds);
        }

        return $members;
    }

    /**
     * @param array<int, Policy> $members
     *
     * @return array<int, Window>
     */
    private static function windows(Decision $decision, array $members): array
    {
        $states = array_column($decision->windows, null, 'window');
        $windows = [];
        foreach ($members as $i => $member) {
            $state = $states[$member->name] ?? null;
            if ($state !== null) {
                $retryAfter = max(1, (int) ceil($state['retryAfter'] ?? 0));
                $windows[$i] = new Window($state['allowed'], $state['remaining'], $retryAfter, (int) ceil($state['resetAt']));
            }
        }

        return $windows;
    }

    /** A limit of nothing refuses everybody and needs no counter. */
    private static function closed(int|float $seconds): Window
    {
        return new Window(false, 0, (int) ceil($seconds), time() + (int) ceil($seconds));
    }

    private static function hash(object $limit): string
    {
        return substr(hash('sha256', (string) $limit->key), 0, 32);
    }

    private static function seconds(object $limit): int|float
    {
        return $limit->decaySeconds ?? $limit->decayMinutes * 60;
    }
}
