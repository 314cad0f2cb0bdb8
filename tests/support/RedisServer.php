<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/**
 * A real server on a unix socket and a free port, in a folder of its own. RATELIMIT_SERVER in the environment
 * names another program than redis-server, such as valkey-server.
 */
final class RedisServer
{
    public readonly string $socket;
    public readonly int $port;

    private readonly TemporaryDirectory $directory;
    private Process $process;
    private ?RespClient $client = null;

    /**
     * @param array<string, string|int> $options configuration: ['maxmemory' => '2mb']
     * @param ?Clock                    $clock   the clock it lives by, else the system's
     */
    public function __construct(private readonly array $options = [], private readonly ?Clock $clock = null)
    {
        $this->directory = new TemporaryDirectory('ratelimit-redis');
        $this->socket = $this->directory->path . '/redis.sock';
        $this->port = Port::free();
        $this->start();
    }

    /** For RateLimiter: over the unix socket. */
    public function url(): string
    {
        return "unix://{$this->socket}";
    }

    /** For RateLimiter: over TCP. */
    public function tcpUrl(): string
    {
        return "redis://127.0.0.1:{$this->port}";
    }

    /** One command over a kept connection of its own. */
    public function command(string|int|float ...$arguments): mixed
    {
        $this->client ??= new RespClient($this->url());

        return $this->client->command(...$arguments);
    }

    /** One number or text of INFO. */
    public function info(string $field): string
    {
        preg_match("/^$field:(.*?)\r?$/m", $this->command('INFO', 'everything'), $match);

        return $match[1] ?? throw new \OutOfBoundsException("INFO has no '$field'");
    }

    /** @return list<string> the names of all keys, sorted */
    public function keys(): array
    {
        $keys = $this->command('KEYS', '*');
        sort($keys);

        return $keys;
    }

    /** Connections opened since it started, but for the one of command(). */
    public function connectionsSeen(): int
    {
        return (int) $this->info('total_connections_received') - 1;
    }

    public function start(): void
    {
        $options = $this->options + [
            'port' => $this->port, 'bind' => '127.0.0.1', 'unixsocket' => $this->socket, 'dir' => $this->directory->path,
            'save' => '', 'appendonly' => 'no', 'daemonize' => 'no',
        ];
        $command = [getenv('RATELIMIT_SERVER') ?: 'redis-server'];
        foreach ($options as $name => $value) {
            array_push($command, "--$name", (string) $value);
        }
        @unlink($log = $this->directory->path . '/log');
        $this->process = Process::start($command, $log, $this->clock?->environment() ?? []);
        $this->process->waitUntil(fn () => str_contains(file_get_contents($this->process->output), 'Ready to accept connections')
            && file_exists($this->socket));
    }

    public function stop(): void
    {
        $this->client = null;
        $this->process->stop();
    }

    /** Empty again: nothing is kept on disk. */
    public function restart(): void
    {
        $this->stop();
        $this->start();
    }

    /** Stops answering while its connections stay open. */
    public function freeze(): void
    {
        $this->process->signal(SIGSTOP);
    }

    public function thaw(): void
    {
        $this->process->signal(SIGCONT);
    }

    public function __destruct()
    {
        $this->stop();
    }
}
