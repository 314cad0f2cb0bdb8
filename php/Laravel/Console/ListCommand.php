<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Console;

use RedisRateLimit\Console\PolicyRow;
use RedisRateLimit\Policies;
use RedisRateLimit\Policy;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\NullOutput;
use Symfony\Component\Console\Output\OutputInterface;

/** Shows what config/ratelimit.php says, and finds what is wrong in it. */
final class ListCommand extends PolicyCommand
{
    protected $signature = 'ratelimit:list {--json : As JSON}';
    protected $description = 'List the rate limit policies, and who settles throttle:';

    public function handle(Policies $policies): int
    {
        $json = (bool) $this->option('json');
        if ($json) {
            $this->line(json_encode($policies->all(), JSON_THROW_ON_ERROR | JSON_PRETTY_PRINT));
        } else {
            $rows = array_map(static fn (Policy $policy): array => PolicyRow::of($policy, '-'), $policies->all());
            $this->table(PolicyRow::HEADINGS, array_values($rows));
        }
        $throttle = ThrottleAlias::describe($this->laravel);
        if ($throttle !== null) {
            ($json ? $this->standardError() : $this->output)->writeln($throttle, OutputInterface::OUTPUT_RAW);
        }

        return self::SUCCESS;
    }

    /** Artisan::call() has one output, which stays JSON: there what is no JSON is left out. */
    private function standardError(): OutputInterface
    {
        $output = $this->output->getOutput();

        return $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : new NullOutput();
    }
}
