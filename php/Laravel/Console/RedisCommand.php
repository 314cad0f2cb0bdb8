<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Console;

use Illuminate\Console\Command;
use RedisRateLimit\StoreUnavailable;
use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** A command that has nothing to say without Redis: then it says why, and its exit code is 1. */
abstract class RedisCommand extends Command
{
    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        try {
            return parent::execute($input, $output);
        } catch (StoreUnavailable $exception) {
            return $this->complain($exception->getMessage());
        }
    }

    /** To standard error: what a program reads from standard output stays JSON. */
    protected function complain(string $message): int
    {
        $this->output->getErrorStyle()->writeln('<error>' . OutputFormatter::escape($message) . '</error>');

        return self::FAILURE;
    }
}
