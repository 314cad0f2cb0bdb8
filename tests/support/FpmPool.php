<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/** A real PHP-FPM pool with the extension loaded and a fixed number of workers, behind a unix socket. */
final class FpmPool
{
    public readonly string $socket;

    private readonly TemporaryDirectory $directory;
    private readonly Process $process;

    /**
     * @param array<string, string> $ini settings of the master, such as ratelimit.url
     * @param int $requests after how many requests a worker is replaced; 0: never
     */
    public function __construct(int $workers = 4, array $ini = [], int $requests = 0)
    {
        $this->directory = new TemporaryDirectory('ratelimit-fpm');
        $this->socket = $this->directory->path . '/fpm.sock';
        $config = $this->directory->write('fpm.conf', <<<CONF
            [global]
            daemonize = no
            error_log = {$this->directory->path}/errors
            [www]
            listen = {$this->socket}
            listen.backlog = 4096
            pm = static
            pm.max_children = $workers
            pm.max_requests = $requests
            catch_workers_output = yes
            clear_env = no

            CONF);
        // As root, FPM refuses to run its workers as root too unless told that this is meant.
        $asRoot = posix_geteuid() === 0 ? ['--allow-to-run-as-root'] : [];
        $this->process = Process::start(
            [...Php::command(self::program(), $ini), '--nodaemonize', '--fpm-config', $config, ...$asRoot],
            $this->directory->path . '/output',
        );
        $this->process->waitUntil(fn () => str_contains((string) @file_get_contents("{$this->directory->path}/errors"), 'ready to handle'));
    }

    /** What the master and its workers have logged, PHP's warnings included. */
    public function log(): string
    {
        return file_get_contents($this->directory->path . '/errors') . file_get_contents($this->process->output);
    }

    public function masterPid(): int
    {
        return $this->process->pid;
    }

    /** @return list<int> */
    public function workerPids(): array
    {
        $children = trim(file_get_contents("/proc/{$this->process->pid}/task/{$this->process->pid}/children"));

        return $children === '' ? [] : array_map('intval', explode(' ', $children));
    }

    public function stop(): void
    {
        $this->process->stop();
    }

    private static function program(): string
    {
        $name = sprintf('php-fpm%d.%d', PHP_MAJOR_VERSION, PHP_MINOR_VERSION);
        // Of the same PHP as runs this: a module fits no other.
        $directory = dirname(PHP_BINARY, 2) . '/sbin';
        foreach (["$directory/$name", "$directory/php-fpm"] as $program) {
            if (is_executable($program)) {
                return $program;
            }
        }

        throw new \RuntimeException("$name not found: run tools/install-dependencies demo");
    }
}
