<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/** Clients in processes of their own, each with one connection and one request at a time. */
final class LoadGenerator
{
    public function __construct(private readonly int $port, private readonly int $clients)
    {
    }

    /** $requests by each client. */
    public function run(string $path, int $requests): LoadRun
    {
        $start = hrtime(true);
        $pipes = [];
        for ($i = 0; $i < $this->clients; $i++) {
            $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
            if (pcntl_fork() === 0) {
                fwrite($pair[1], json_encode($this->client($path, $requests)));
                fclose($pair[1]);
                // Ends without the destructors of its parent, which would stop the servers.
                posix_kill(getmypid(), SIGKILL);
            }
            fclose($pair[1]);
            $pipes[] = $pair[0];
        }
        $micros = array_merge(...array_map(
            static fn ($pipe): array => json_decode(stream_get_contents($pipe)) ?: throw new \RuntimeException('a client failed'),
            $pipes,
        ));
        $seconds = (hrtime(true) - $start) / 1e9;
        while (pcntl_wait($status, WNOHANG) > 0);

        return new LoadRun($seconds, $micros);
    }

    /** @return list<float> the microseconds of each request */
    private function client(string $path, int $requests): array
    {
        $socket = stream_socket_client("tcp://127.0.0.1:{$this->port}");
        $micros = [];
        for ($i = 0; $i < $requests; $i++) {
            $start = hrtime(true);
            fwrite($socket, "GET $path HTTP/1.1\r\nHost: bench\r\n\r\n");
            self::read($socket);
            $micros[] = (hrtime(true) - $start) / 1e3;
        }

        return $micros;
    }

    /** @param resource $socket */
    private static function read($socket): void
    {
        $status = fgets($socket);
        if (!str_contains((string) $status, ' 200 ')) {
            throw new \RuntimeException("answered: $status");
        }
        while (($line = fgets($socket)) !== "\r\n") {
            $chunked ??= stripos($line, 'transfer-encoding: chunked') === 0 ? true : null;
        }
        while ($chunked && ($size = hexdec(trim(fgets($socket)))) > 0) {
            stream_get_contents($socket, $size + 2);
        }
        $chunked ? fgets($socket) : null;
    }
}
