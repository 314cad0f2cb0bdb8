<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Console;

use RedisRateLimit\Console\PolicyRow;
use RedisRateLimit\Policies;
use RedisRateLimit\Policy;

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
        $rows = array_map(static fn (Policy $policy): array => PolicyRow::of($policy, '-'), $policies->all());
        $this->table(PolicyRow::HEADINGS, array_values($rows));

        return self::SUCCESS;
    }
}
