<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Middleware;

use RedisRateLimit\Decision;
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
    public const NAME = 'throttle';

    public readonly Policy $policy;
    public readonly string $tenant;

    /** @var array<string, int> the indexes of the limits by the members' names */
    private array $indexes = [];

    /**
     * @param non-empty-array<int, Limit> $limits
     * @param ?string                     $limiterName where they come from; null: the first limit's hash stands for it
     * @param 'open'|'closed'|null        $onFailure   null: the ini setting
     */
    public function __construct(array $limits, ?string $limiterName, ?string $onFailure)
    {
        $tenant = $limiterName;
        $members = [];
        foreach ($limits as $i => $limit) {
            $seconds = self::seconds($limit);
            // Laravel's keys may hold an e-mail address or be long: Redis gets their hash.
            $hash = substr(hash('sha256', (string) $limit->key), 0, 32);
            $tenant ??= $hash;
            $member = "$hash-$seconds";
            $member .= isset($this->indexes[$member]) ? "-$i" : '';
            $this->indexes[$member] = $i;
            $members[] = Policy::fixedWindow($member, (int) $limit->maxAttempts, $seconds);
        }
        $this->tenant = $tenant;
        $policy = Policy::compound(self::NAME, ...$members);
        $this->policy = match ($onFailure) {
            null => $policy,
            'open' => $policy->failOpen(),
            'closed' => $policy->failClosed(),
        };
    }

    /** @return array<int, Window> by the indexes of the limits; none where Redis could not be asked */
    public function windows(Decision $decision): array
    {
        $windows = [];
        foreach ($decision->windows as $state) {
            $windows[$this->indexes[$state['window']]] = Window::of($state);
        }

        return $windows;
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
