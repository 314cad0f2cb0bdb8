<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/**
 * A child process that never outlives the tests: it is stopped by its pid in stop(), when the object goes, at the
 * end of this script whatever ended it, and by the kernel should this process be killed.
 */
final class Process
{
    public readonly int $pid;

    /** A forked child of the tests inherits this object but not the right to stop the process. */
    private readonly int $owner;

    /** @var resource|null */
    private $handle;

    /**
     * @param list<string>          $command
     * @param array<string, string> $environment added to this process's own
     * @param string                $output      file that gets stdout and stderr
     */
    private function __construct(array $command, array $environment, public readonly string $output)
    {
        $this->owner = getmypid();
        $log = ['file', $output, 'a'];
        $this->handle = proc_open(
            ['setpriv', '--pdeathsig', 'TERM', ...$command],
            [['file', '/dev/null', 'r'], $log, $log],
            $pipes,
            null,
            $environment + getenv(),
        );
        $this->pid = proc_get_status($this->handle)['pid'];
        // Not bound to $this: it must not keep the object alive.
        $weak = \WeakReference::create($this);
        register_shutdown_function(static fn () => $weak->get()?->stop());
    }

    /**
     * @param list<string>          $command
     * @param array<string, string> $environment
     */
    public static function start(array $command, string $output, array $environment = []): self
    {
        return new self($command, $environment, $output);
    }

    /** Polls until $ready() is true; ends with what the process printed if it dies or 30 seconds pass. */
    public function waitUntil(callable $ready): void
    {
        for ($deadline = microtime(true) + 30; !$ready(); usleep(2000)) {
            if (!$this->isRunning() || microtime(true) > $deadline) {
                throw new \RuntimeException("Process {$this->pid} did not get ready:\n" . file_get_contents($this->output));
            }
        }
    }

    /** Polls until it has ended by itself; ends with what the process printed if $seconds pass. */
    public function waitForEnd(float $seconds): void
    {
        for ($deadline = microtime(true) + $seconds; $this->isRunning(); usleep(10_000)) {
            if (microtime(true) > $deadline) {
                throw new \RuntimeException("Process {$this->pid} did not end:\n" . file_get_contents($this->output));
            }
        }
    }

    public function isRunning(): bool
    {
        return $this->handle !== null && proc_get_status($this->handle)['running'];
    }

    public function signal(int $signal): void
    {
        if ($this->isRunning()) {
            posix_kill($this->pid, $signal);
        }
    }

    public function stop(): void
    {
        if ($this->handle === null || $this->owner !== getmypid()) {
            return;
        }
        $this->signal(SIGTERM);
        $this->signal(SIGCONT);
        for ($deadline = microtime(true) + 5; $this->isRunning(); usleep(2000)) {
            if (microtime(true) > $deadline) {
                $this->signal(SIGKILL);
            }
        }
        proc_close($this->handle);
        $this->handle = null;
    }

    public function __destruct()
    {
        $this->stop();
    }
}
