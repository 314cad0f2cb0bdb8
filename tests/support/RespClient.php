<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/** Speaks RESP2 to a server over a plain socket, so that assertions need no client library. */
final class RespClient
{
    /** @var resource */
    private $socket;

    /** @param string $address unix:///path or tcp://host:port */
    public function __construct(string $address)
    {
        $socket = @stream_socket_client($address, $code, $text, 5);
        if ($socket === false) {
            throw new \RuntimeException("$address: $text");
        }
        stream_set_timeout($socket, 10);
        $this->socket = $socket;
    }

    /**
     * @return int|string|null|list<mixed>
     * @throws \RuntimeException with the server's text for an error reply
     */
    public function command(string|int|float ...$arguments): int|string|null|array
    {
        $request = '*' . count($arguments) . "\r\n";
        foreach ($arguments as $argument) {
            $request .= '$' . strlen((string) $argument) . "\r\n$argument\r\n";
        }
        if (fwrite($this->socket, $request) !== strlen($request)) {
            throw new \RuntimeException('the server closed the connection');
        }

        return $this->reply();
    }

    /** @return int|string|null|list<mixed> */
    private function reply(): int|string|null|array
    {
        $line = fgets($this->socket);
        if ($line === false) {
            throw new \RuntimeException('no reply from the server');
        }
        $rest = substr($line, 1, -2);

        return match ($line[0]) {
            '+' => $rest,
            ':' => (int) $rest,
            '$' => $rest === '-1' ? null : substr($this->read((int) $rest + 2), 0, -2),
            '*' => $rest === '-1' ? null : array_map(fn () => $this->reply(), array_fill(0, (int) $rest, null)),
            default => throw new \RuntimeException($rest),
        };
    }

    private function read(int $length): string
    {
        for ($data = ''; strlen($data) < $length; $data .= $part) {
            $part = fread($this->socket, $length - strlen($data));
            if ($part === '' || $part === false) {
                throw new \RuntimeException('the reply ended early');
            }
        }

        return $data;
    }
}
