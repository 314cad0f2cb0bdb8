<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use Symfony\Component\DependencyInjection\ContainerBuilder;

/** Tells what is known when the container is built from what the environment says at run time, as '%env(LIMIT)%'. */
final class EnvPlaceholders
{
    /** Valid beside any usual value: a small limit, an amount that comes in no time. What is not here is a flag. */
    private const STAND_INS = [
        'limit' => 1,
        'amount' => 1_000_000_000,
        'interval' => 0.001,
        'rate' => ['amount' => 1, 'interval' => 0.001],
        'on_failure' => 'open',
    ];

    private const ANY_POLICY = ['policy' => 'fixed_window', 'limit' => 1, 'interval' => 1];

    /** Words of every algorithm. */
    private const COMMON = ['on_failure' => true, 'shadow' => true, 'shared' => true];

    public function __construct(private ContainerBuilder $container)
    {
    }

    /** Whether no value holds a placeholder. */
    public function isKnown(mixed ...$values): bool
    {
        return $this->variables($values) === [];
    }

    /** @return list<string> as they are written, "REDIS_URL" or "resolve:REDIS_URL" */
    public function variables(mixed $value): array
    {
        $variables = [];
        $this->container->resolveEnvPlaceholders($value, null, $variables);

        return array_map('strval', array_keys($variables ?? []));
    }

    /**
     * Puts valid values in the place of placeholders, so that what stands beside them can be judged. An algorithm has
     * words of its own: where it is unknown, only the words that all have can be.
     *
     * @param array<mixed> $policy
     *
     * @return array<mixed>
     */
    public function replaced(array $policy): array
    {
        $algorithm = $policy['policy'] ?? null;
        if (is_string($algorithm) && !$this->isKnown($algorithm)) {
            $policy = self::ANY_POLICY + array_intersect_key($policy, self::COMMON);
        }
        foreach ($policy as $word => $value) {
            $policy[$word] = match (true) {
                is_array($value) => $this->replaced($value),
                $this->isKnown($value) => $value,
                default => self::STAND_INS[$word] ?? true,
            };
        }

        return $policy;
    }
}
