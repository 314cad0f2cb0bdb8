<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Command;

use RedisRateLimit\Console\PolicyRow;
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
        $rows = array_map(static fn (Policy $policy): array => PolicyRow::of($policy, '–'), $this->policies->all());
        $style->table(PolicyRow::HEADINGS, array_values($rows));
    }
}
