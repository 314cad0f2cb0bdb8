<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Command;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Style\SymfonyStyle;

/** @extends TenantCommand<array{reset: bool}> */
final class ResetCommand extends TenantCommand
{
    public const NAME = 'ratelimit:reset';
    public const DESCRIPTION = 'Gives a tenant its full budget again';

    protected function answer(InputInterface $input): array
    {
        return ['reset' => $this->limiter->reset(...$this->subject($input))];
    }

    protected function show(array $answer, SymfonyStyle $style): void
    {
        $answer['reset'] ? $style->success('The budget is full again.') : $style->note('Nothing was counted there.');
    }
}
