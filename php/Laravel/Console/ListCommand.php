<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Console;

use RedisRateLimit\Policies;

/** Shows what config/ratelimit.php says, and finds what is wrong in it. */
final class ListCommand extends PolicyCommand
{
    protected $signature = 'ratelimit:list {--json : As JSON}';
    protected $description = 'List the rate limit policies';

    public function handle(Policies $policies): int
    {
        if ($this->option('json')) {
            $this->line(json_encode($policies->all(), JSON_THROW_ON_ERROR | JSON_PRETTY_PRINT));

            return self::SUCCESS;
        }
        $rows = [];
        foreach ($policies->all() as $policy) {
            $numbers = $policy->algorithm === 'unlimited' ? ['-', '-'] : [$policy->limit, $policy->interval];
            $rows[] = [$policy->name, $policy->algorithm, ...$numbers, $policy->toArray()['on_failure'] ?? ''];
        }
        $this->table(['Policy', 'Algorithm', 'Limit', 'Seconds', 'On failure'], $rows);

        return self::SUCCESS;
    }
}
