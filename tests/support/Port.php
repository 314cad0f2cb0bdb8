<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/**
 * Ports below those that the system gives to outgoing connections (from 32768 on): one of these may be taken again
 * before a server that is being started comes to it.
 */
final class Port
{
    private const FIRST = 11_000;
    private const COUNT = 20_000;

    private static int $asked = 0;

    /** A TCP port of 127.0.0.1 that nobody listens on, another one each time. */
    public static function free(): int
    {
        do {
            // Processes that run at once begin at places of their own.
            $port = self::FIRST + (getmypid() % 1000 * 20 + self::$asked++) % self::COUNT;
            $socket = @stream_socket_server("tcp://127.0.0.1:$port");
        } while ($socket === false);
        fclose($socket);

        return $port;
    }
}
