<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Console;

use RedisRateLimit\Laravel\RateLimits;
use Symfony\Component\Console\Output\OutputInterface;

/** Takes nothing: what it shows is what the tenant's next request would meet. */
final class PeekCommand extends PolicyCommand
{
    protected $signature = 'ratelimit:peek
        {policy : A name of config/ratelimit.php}
        {tenant : As it is counted: user:42, ip:192.0.2.7}
        {scope=global}
        {--json : As JSON}';
    protected $description = 'Show what is left of a tenant\'s budget';

    public function handle(RateLimits $limits): int
    {
        $decision = $limits->peek($this->argument('policy'), $this->argument('tenant'), $this->argument('scope'));
        if ($this->option('json')) {
            $this->output->writeln(json_encode($decision, JSON_THROW_ON_ERROR | JSON_PRETTY_PRINT), OutputInterface::OUTPUT_RAW);
        } elseif (!$decision->degraded) {
            $this->table(['Window', 'Limit', 'Remaining', 'Retry after (s)', 'Reset at (UTC)'], array_map(
                static fn (array $window): array => [
                    $window['window'],
                    $window['limit'],
                    $window['remaining'],
                    $window['retryAfter'] ?? '-',
                    gmdate('Y-m-d H:i:s', (int) ceil($window['resetAt'])),
                ],
                $decision->windows,
            ));
        }

        return $decision->degraded ? $this->complain("Redis did not answer: {$decision->error}") : self::SUCCESS;
    }
}
