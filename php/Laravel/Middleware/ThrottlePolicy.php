<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Middleware;

use RedisRateLimit\Decision;
use RedisRateLimit\InvalidConfiguration;
use RedisRateLimit\Policy;

/**
 * Laravel's Limits as fixed windows of one compound policy. A Limit's key is in its member's name, so that its budget
 * is the same one in whatever company it comes.
 *
 * @phpstan-type Limit object{
 *     key: string, maxAttempts: int, decayMinutes?: int, decaySeconds?: int, responseCallback: ?callable,
 *     afterCallback?: callable
 * }
 */
final class ThrottlePolicy
{
    private const NAME = 'throttle';

    public readonly Policy $policy;

    /** @var array<int, string> the members' names by the keys of the limits */
    private array $names = [];

    /**
     * @param array<int, Limit> $limits
     * @param ?string           $onFailure "open" or "closed"; null: the ini setting
     *
     * @throws InvalidConfiguration for another failure rule
     */
    public function __construct(array $limits, ?string $onFailure)
    {
        $members = [];
        foreach ($limits as $i => $limit) {
            $seconds = self::seconds($limit);
            $name = self::hash($limit) . '-' . $seconds;
            $name .= in_array($name, $this->names, true) ? "-$i" : '';
            $this->names[$i] = $name;
            $members[] = Policy::fixedWindow($name, (int) $limit->maxAttempts, $seconds);
        }
        $policy = Policy::compound(self::NAME, ...$members);
        $this->policy = match ($onFailure) {
            null => $policy,
            'open' => $policy->failOpen(),
            'closed' => $policy->failClosed(),
            default => throw new InvalidConfiguration(sprintf('"%s" is not a failure rule: allowed are "open" and "closed".', $onFailure)),
        };
    }

    /** @return array<int, Window> by the keys of the limits; none where Redis could not be asked */
    public function windows(Decision $decision): array
    {
        $states = array_column($decision->windows, null, 'window');
        $asked = array_intersect($this->names, array_keys($states));

        return array_map(static fn (string $name): Window => Window::of($states[$name]), $asked);
    }

    /**
     * Laravel's keys may hold an e-mail address or be long: Redis gets their hash.
     *
     * @param Limit $limit
     */
    public static function hash(object $limit): string
    {
        return substr(hash('sha256', (string) $limit->key), 0, 32);
    }

    /**
     * Laravel 8 and 10 count minutes, 11 and later seconds.
     *
     * @param Limit $limit
     */
    public static function seconds(object $limit): int|float
    {
        return $limit->decaySeconds ?? $limit->decayMinutes * 60;
    }
}
