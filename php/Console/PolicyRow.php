<?php

declare(strict_types=1);

namespace RedisRateLimit\Console;

use RedisRateLimit\Policy;

/** A policy as a row of the table that the console of Symfony and of Laravel shows. */
final class PolicyRow
{
    public const HEADINGS = ['Policy', 'Algorithm', 'Limit', 'Interval', 'Further'];

    /**
     * @param string $nothing what stands where an unlimited policy has no number
     * @return list<string>
     */
    public static function of(Policy $policy, string $nothing): array
    {
        $numbers = $policy->algorithm === 'unlimited' ? [$nothing, $nothing] : [(string) $policy->limit, "{$policy->interval} s"];

        return [$policy->name, $policy->algorithm, ...$numbers, self::rest($policy->toArray())];
    }

    /** @param array<string, mixed> $policy */
    private static function rest(array $policy): string
    {
        $rest = array_diff_key($policy, array_flip(['policy', 'limit', 'interval']));

        return implode(', ', array_map(
            static fn (string $word, mixed $value): string => $word . ': ' . (is_string($value) ? $value : json_encode($value, \JSON_THROW_ON_ERROR)),
            array_keys($rest),
            $rest,
        ));
    }
}
