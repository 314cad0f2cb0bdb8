<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Tests\Support\Port;
use RedisRateLimit\Tests\Support\Process;
use RedisRateLimit\Tests\Support\TemporaryDirectory;

/** A listener that is no Redis: it accepts, notes when, and answers every request with the same bytes, or never, or hangs up. */
final class Impostor
{
    /** Instead of an answer: closes the connection that a request came by. */
    public const HANGS_UP = 'hangs up';

    private const LISTENER = <<<'PHP'
        [, $port, $answer] = $argv;
        $server = stream_socket_server("tcp://127.0.0.1:$port");
        fwrite(STDOUT, "listening\n");
        $clients = [];
        while (true) {
            $readable = [$server, ...$clients];
            $none = null;
            stream_select($readable, $none, $none, null);
            foreach ($readable as $socket) {
                if ($socket === $server) {
                    $client = stream_socket_accept($server);
                    $clients[(int) $client] = $client;
                    fwrite(STDOUT, microtime(true) . "\n");
                } elseif ((string) fread($socket, 65536) === '' || $answer === 'hangs up') {
                    unset($clients[(int) $socket]);
                    fclose($socket);
                } elseif ($answer !== '') {
                    @fwrite($socket, base64_decode($answer));
                }
            }
        }
        PHP;

    public readonly int $port;

    private readonly TemporaryDirectory $directory;
    private readonly Process $process;

    public function __construct(string $answer = '', ?int $port = null)
    {
        $this->port = $port ?? Port::free();
        $this->directory = new TemporaryDirectory('ratelimit-impostor');
        $command = [PHP_BINARY, '-n', '-r', self::LISTENER, '--', (string) $this->port, $answer === self::HANGS_UP ? $answer : base64_encode($answer)];
        $this->process = Process::start($command, $this->directory->path . '/output');
        $this->process->waitUntil(fn () => str_contains((string) @file_get_contents($this->process->output), 'listening'));
    }

    public function url(): string
    {
        return "redis://127.0.0.1:{$this->port}";
    }

    /** @return list<float> when each connection came, Unix time */
    public function connections(): array
    {
        return array_map('floatval', array_slice(file($this->process->output), 1));
    }

    public function stop(): void
    {
        $this->process->stop();
    }
}
