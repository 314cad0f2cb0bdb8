<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use RedisRateLimit\Policies;

/** Brings policies from the words of the configuration to those of Policy::fromArray(). */
final class PolicyWords
{
    public const OF_FRAMEWORK_ONLY = ['lock_factory', 'cache_pool', 'storage_service'];

    private const FLAGS = ['audit', 'aligned', 'shadow', 'shared'];

    /**
     * @param array<string, array<string, mixed>> $policies as configured
     * @param mixed                               $onFailure for policies that name none
     *
     * @return array<string, array<string, mixed>>
     *
     * @throws \InvalidArgumentException for a compound that names an unknown member
     */
    public static function resolve(array $policies, mixed $onFailure): array
    {
        $policies = array_map(self::forFromArray(...), $policies);
        $resolved = [];
        foreach ($policies as $name => $policy) {
            if (isset($policy['limiters'])) {
                $policy['limiters'] = self::members((string) $name, (array) $policy['limiters'], $policies);
            }
            $resolved[$name] = $onFailure === null ? $policy : $policy + ['on_failure' => $onFailure];
        }

        return $resolved;
    }

    /**
     * The registry of policies whose values came from the environment, where everything is text.
     *
     * @param array<string, array<string, mixed>> $policies
     */
    public static function registry(array $policies): Policies
    {
        return new Policies(array_map(self::typed(...), $policies));
    }

    /**
     * Numbers and truth values that are written as text become what they say. As in framework.rate_limiter, the other
     * words of a policy that turns out to be no_limit are ignored.
     *
     * @param array<string, mixed> $policy
     *
     * @return array<string, mixed>
     */
    public static function typed(array $policy): array
    {
        if (($policy['policy'] ?? null) === 'no_limit') {
            return ['policy' => 'no_limit'];
        }
        foreach ($policy as $word => $value) {
            $policy[$word] = match (true) {
                is_array($value) => self::typed($value),
                in_array($word, self::FLAGS, true) => filter_var($value, \FILTER_VALIDATE_BOOL, \FILTER_NULL_ON_FAILURE) ?? $value,
                is_string($value) && preg_match('/^\d+$/D', $value) === 1 => (int) $value,
                is_string($value) && is_numeric($value) => (float) $value,
                default => $value,
            };
        }

        return $policy;
    }

    /**
     * @param array<mixed>                        $limiters names of other policies, or policies by name
     * @param array<string, array<string, mixed>> $policies
     *
     * @return array<array<string, mixed>>
     */
    private static function members(string $compound, array $limiters, array $policies): array
    {
        $members = [];
        foreach ($limiters as $name => $member) {
            if (is_array($member)) {
                $members[$name] = self::forFromArray($member);
            } else {
                $member = is_scalar($member) ? (string) $member : get_debug_type($member);
                $members[$member] = $policies[$member] ?? throw new \InvalidArgumentException(sprintf('The compound policy "%s" names the limiter "%s", which is not configured: known are "%s".', $compound, $member, implode('", "', array_keys($policies))));
            }
        }

        return $members;
    }

    /**
     * Without what framework.rate_limiter writes besides.
     *
     * @param array<string, mixed> $policy
     *
     * @return array<string, mixed>
     */
    private static function forFromArray(array $policy): array
    {
        return array_diff_key($policy, array_flip(self::OF_FRAMEWORK_ONLY));
    }
}
