<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Console;

use RedisRateLimit\Console\Untrusted;
use RedisRateLimit\Laravel\RateLimits;
use Symfony\Component\Console\Output\OutputInterface;

/** Oldest first, what a sliding log still holds; request ids where the policy has audit. */
final class HistoryCommand extends PolicyCommand
{
    protected $signature = 'ratelimit:history
        {policy : A sliding_log of config/ratelimit.php}
        {tenant : As it is counted: user:42, ip:192.0.2.7}
        {scope=global}
        {--json : As JSON}';
    protected $description = 'Show what a sliding log holds of a tenant';

    public function handle(RateLimits $limits): int
    {
        $history = $limits->history($this->argument('policy'), $this->argument('tenant'), $this->argument('scope'));
        if ($this->option('json')) {
            $json = json_encode($history, JSON_THROW_ON_ERROR | JSON_PRETTY_PRINT | JSON_INVALID_UTF8_SUBSTITUTE);
            $this->output->writeln($json, OutputInterface::OUTPUT_RAW);

            return self::SUCCESS;
        }
        $this->table(['At (UTC)', 'Cost', 'Request'], array_map(
            static fn (array $entry): array => [
                (new \DateTimeImmutable(sprintf('@%.6F', $entry['at'])))->format('Y-m-d H:i:s.u'),
                $entry['cost'],
                $entry['request_id'] === null ? '-' : Untrusted::shown($entry['request_id']),
            ],
            $history,
        ));

        return self::SUCCESS;
    }
}
