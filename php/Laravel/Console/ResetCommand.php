<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Console;

use RedisRateLimit\Laravel\RateLimits;

/** Gives a tenant its whole budget back. */
final class ResetCommand extends PolicyCommand
{
    protected $signature = 'ratelimit:reset
        {policy : A name of config/ratelimit.php}
        {tenant : As it is counted: user:42, ip:192.0.2.7}
        {scope=global}';
    protected $description = 'Forget what a tenant has used';

    public function handle(RateLimits $limits): int
    {
        $found = $limits->reset($this->argument('policy'), $this->argument('tenant'), $this->argument('scope'));
        $this->info($found ? 'Reset.' : 'There was nothing to reset.');

        return self::SUCCESS;
    }
}
