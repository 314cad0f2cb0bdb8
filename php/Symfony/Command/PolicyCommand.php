<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Command;

use RedisRateLimit\Limiter;
use RedisRateLimit\Policies;
use RedisRateLimit\StoreUnavailable;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Exception\ExceptionInterface;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Console\Style\SymfonyStyle;

/**
 * What the commands share. Exit codes: 0 the question was answered, whatever the answer; 1 Redis did not answer;
 * 2 a name or an option is wrong.
 *
 * @template Answer of array
 */
abstract class PolicyCommand extends Command
{
    /** Each command has its own. */
    public const NAME = '';
    public const DESCRIPTION = '';

    private const JSON = \JSON_PRETTY_PRINT | \JSON_UNESCAPED_SLASHES | \JSON_INVALID_UTF8_SUBSTITUTE;

    public function __construct(protected Policies $policies, protected Limiter $limiter)
    {
        parent::__construct(static::NAME);
    }

    /** Symfony itself would exit with 1 for an argument that is missing or an option that nobody knows. */
    public function run(InputInterface $input, OutputInterface $output): int
    {
        try {
            return parent::run($input, $output);
        } catch (ExceptionInterface $e) {
            (new SymfonyStyle($input, $output))->getErrorStyle()->error([$e->getMessage(), $this->getSynopsis()]);

            return self::INVALID;
        }
    }

    /** @return Answer to be shown, as a table or as JSON */
    abstract protected function answer(InputInterface $input): array;

    /** @param Answer $answer */
    abstract protected function show(array $answer, SymfonyStyle $style): void;

    protected function configure(): void
    {
        $this->setDescription(static::DESCRIPTION)
            ->addOption('format', null, InputOption::VALUE_REQUIRED, 'table or json', 'table');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $style = new SymfonyStyle($input, $output);
        try {
            $format = $input->getOption('format');
            if (!in_array($format, ['table', 'json'], true)) {
                throw new \InvalidArgumentException(sprintf('"%s" is not a format: give table or json.', $format));
            }
            $answer = $this->answer($input);
            $format === 'json'
                ? $output->writeln(json_encode($answer, \JSON_THROW_ON_ERROR | self::JSON), OutputInterface::OUTPUT_RAW)
                : $this->show($answer, $style);

            return self::SUCCESS;
        } catch (StoreUnavailable $e) {
            $style->getErrorStyle()->error($e->getMessage());

            return self::FAILURE;
        } catch (\InvalidArgumentException $e) {
            $style->getErrorStyle()->error($e->getMessage());

            return self::INVALID;
        }
    }
}
