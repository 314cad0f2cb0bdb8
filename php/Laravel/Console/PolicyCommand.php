<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Console;

use Illuminate\Console\Command;
use RedisRateLimit\StoreUnavailable;
use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * What the commands share. Exit codes: 0 the question was answered, whatever the answer; 1 Redis did not answer; 2 a name
 * or a value is wrong, in the command line or in config/ratelimit.php.
 */
abstract class PolicyCommand extends Command
{
    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        try {
            return parent::execute($input, $output);
        } catch (StoreUnavailable $exception) {
            return $this->complain($exception->getMessage());
        } catch (\InvalidArgumentException $exception) {
            return $this->complain($exception->getMessage(), self::INVALID);
        }
    }

    /** To standard error: what a program reads from standard output stays JSON. */
    protected function complain(string $message, int $status = self::FAILURE): int
    {
        $this->output->getErrorStyle()->writeln('<error>' . OutputFormatter::escape($message) . '</error>');

        return $status;
    }
}
