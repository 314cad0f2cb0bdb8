<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Command;

use RedisRateLimit\Console\Untrusted;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Style\SymfonyStyle;

/** @extends TenantCommand<list<array{at: float, cost: int, request_id: ?string}>> */
final class HistoryCommand extends TenantCommand
{
    public const NAME = 'ratelimit:history';
    public const DESCRIPTION = 'Lists what a sliding log still holds, oldest first';

    protected function answer(InputInterface $input): array
    {
        return $this->limiter->history(...$this->subject($input));
    }

    protected function show(array $answer, SymfonyStyle $style): void
    {
        $rows = array_map(
            static fn (array $entry): array => [
                self::time($entry['at']),
                $entry['cost'],
                $entry['request_id'] === null ? '–' : Untrusted::shown($entry['request_id']),
            ],
            $answer,
        );
        $style->table(['At (UTC)', 'Cost', 'Request id'], $rows);
    }

    private static function time(float $unixSeconds): string
    {
        return (new \DateTimeImmutable(sprintf('@%.6F', $unixSeconds)))->format('Y-m-d H:i:s.u');
    }
}
