<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Command;

use RedisRateLimit\Policy;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Style\SymfonyStyle;

/** @extends PolicyCommand<array<string, array<string, mixed>>> */
final class PoliciesCommand extends PolicyCommand
{
    public const NAME = 'ratelimit:policies';
    public const DESCRIPTION = 'Lists the rate limit policies';

    protected function answer(InputInterface $input): array
    {
        return array_map(static fn (Policy $policy): array => $policy->toArray(), $this->policies->all());
    }

    protected function show(array $answer, SymfonyStyle $style): void
    {
        $rows = [];
        foreach ($this->policies->all() as $name => $policy) {
            $unlimited = $policy->algorithm === 'unlimited';
            $rows[] = [$name, $policy->algorithm, $unlimited ? '–' : $policy->limit, $unlimited ? '–' : $policy->interval . ' s', self::rest($answer[$name])];
        }
        $style->table(['Policy', 'Algorithm', 'Limit', 'Interval', 'Further'], $rows);
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
