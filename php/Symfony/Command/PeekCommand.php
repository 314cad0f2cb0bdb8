<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Command;

use RedisRateLimit\StoreUnavailable;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Style\SymfonyStyle;

/**
 * @extends TenantCommand<array{
 *     windows: list<array{window: string, allowed: bool, limit: int, remaining: int, retryAfter: ?float, resetAt: float}>,
 *     ...
 * }>
 */
final class PeekCommand extends TenantCommand
{
    public const NAME = 'ratelimit:peek';
    public const DESCRIPTION = 'Shows what remains of a tenant\'s budget, and takes nothing';

    protected function answer(InputInterface $input): array
    {
        $decision = $this->limiter->peek(...$this->subject($input));
        if ($decision->degraded) {
            throw new StoreUnavailable((string) $decision->error);
        }

        return $decision->jsonSerialize();
    }

    protected function show(array $answer, SymfonyStyle $style): void
    {
        $rows = [];
        foreach ($answer['windows'] as $window) {
            $rows[] = [
                $window['window'],
                $window['allowed'] ? 'allowed' : 'refused',
                $window['remaining'] . ' of ' . $window['limit'],
                $window['retryAfter'] === null ? '–' : $window['retryAfter'] . ' s',
                gmdate('Y-m-d H:i:s', (int) ceil($window['resetAt'])) . ' UTC',
            ];
        }
        $style->table(['Window', 'Next call', 'Remaining', 'Retry after', 'Reset'], $rows);
    }
}
