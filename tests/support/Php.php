<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/** Runs code in a PHP process of its own, with the extension under test loaded. */
final class Php
{
    public const MODULE = __DIR__ . '/../../modules/ratelimit.so';

    /** Seconds after which a process is killed: longer than any test may take. */
    private const LONGEST = 300;

    /**
     * The command line of a PHP program with the extension and these settings.
     *
     * @param array<string, string> $ini
     * @return list<string>
     */
    public static function command(string $program, array $ini = []): array
    {
        $command = [$program];
        // As in phpunit.xml.dist: the clock that a test sets is not the one that remembered refusals live by.
        $own = ['extension' => realpath(self::MODULE), 'ratelimit.refusal_cache_ttl_ms' => '0'];
        foreach ($ini + $own as $name => $value) {
            array_push($command, '-d', $value === '' ? "$name=" : "$name=\"$value\"");
        }

        return $command;
    }

    /**
     * Runs $code (without "<?php") and returns what it printed.
     *
     * @param array<string, string> $ini
     * @return array{stdout: string, stderr: string, exit: int}
     */
    public static function run(string $code, array $ini = []): array
    {
        return self::finish(self::start([...self::command(PHP_BINARY, $ini), '-r', $code]));
    }

    /**
     * Runs $code in $count processes at once, told their number as $argv[1], and returns what each printed.
     *
     * @param array<string, string> $ini
     * @return list<array{stdout: string, stderr: string, exit: int}>
     */
    public static function runConcurrently(int $count, string $code, array $ini = []): array
    {
        $started = [];
        for ($i = 0; $i < $count; $i++) {
            $started[] = self::start([...self::command(PHP_BINARY, $ini), '-r', $code, '--', (string) $i]);
        }

        return array_map(self::finish(...), $started);
    }

    /**
     * `php $arguments…`, such as --ri ratelimit, for $seconds at most.
     *
     * @param array<string, string> $ini
     * @return array{stdout: string, stderr: string, exit: int}
     */
    public static function invoke(array $arguments, array $ini = [], int $seconds = self::LONGEST): array
    {
        return self::finish(self::start([...self::command(PHP_BINARY, $ini), ...$arguments], $seconds));
    }

    /**
     * @param list<string> $command
     * @return array{resource, resource, resource}
     */
    private static function start(array $command, int $seconds = self::LONGEST): array
    {
        // Files, not pipes: a child that prints much must not wait for another one to be read.
        $stdout = tmpfile();
        $stderr = tmpfile();
        $withParent = ['setpriv', '--pdeathsig', 'KILL'];
        $bounded = [...$withParent, 'timeout', '--signal=KILL', (string) $seconds, ...$withParent, ...$command];
        $process = proc_open($bounded, [['file', '/dev/null', 'r'], $stdout, $stderr], $pipes);

        return [$process, $stdout, $stderr];
    }

    /**
     * @param array{resource, resource, resource} $started
     * @return array{stdout: string, stderr: string, exit: int}
     */
    private static function finish(array $started): array
    {
        [$process, $stdout, $stderr] = $started;
        $exit = proc_close($process);
        rewind($stdout);
        rewind($stderr);

        return ['stdout' => stream_get_contents($stdout), 'stderr' => stream_get_contents($stderr), 'exit' => $exit];
    }
}
