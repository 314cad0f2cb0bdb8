<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use RedisRateLimit\Policy;

/** Judges one configured policy. */
final class PolicyCheck
{
    private const WITH_RATE = ['token_bucket', 'leaky_bucket'];

    /**
     * @param array<string, mixed> $policy
     *
     * @throws \InvalidArgumentException
     */
    public static function of(string $name, array $policy): void
    {
        self::checkRate($name, $policy);
        Policy::fromArray($name, PolicyWords::typed($policy));
        if (preg_match('/^[._-]*[a-z]/i', $name) !== 1) {
            throw new \InvalidArgumentException(sprintf('the name "%s" must begin with a letter: services get the policy by an argument of that name.', $name));
        }
    }

    /**
     * The extension would ask for "an array", which is no word of YAML.
     *
     * @param array<string, mixed> $policy
     */
    private static function checkRate(string $name, array $policy): void
    {
        if (in_array($policy['policy'] ?? null, self::WITH_RATE, true) && ($policy['rate'] ?? []) === []) {
            throw new \InvalidArgumentException(sprintf('policy "%s": "rate" is missing; give rate: { amount: 10, interval: \'1 minute\' }', $name));
        }
        foreach ((array) ($policy['limiters'] ?? []) as $member => $words) {
            self::checkRate((string) $member, (array) $words);
        }
    }
}
