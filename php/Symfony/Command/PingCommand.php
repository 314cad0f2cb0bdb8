<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Command;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Style\SymfonyStyle;

/** @extends PolicyCommand<array{seconds: float}> */
final class PingCommand extends PolicyCommand
{
    public const NAME = 'ratelimit:ping';
    public const DESCRIPTION = 'Says whether Redis answers, and how fast';

    protected function answer(InputInterface $input): array
    {
        return ['seconds' => $this->limiter->ping()];
    }

    protected function show(array $answer, SymfonyStyle $style): void
    {
        $style->success(sprintf('Redis answers in %d µs.', $answer['seconds'] * 1e6));
    }
}
