<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

final class Port
{
    /** A TCP port of 127.0.0.1 that nobody listens on. */
    public static function free(): int
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        $port = (int) substr(strrchr(stream_socket_get_name($socket, false), ':'), 1);
        fclose($socket);

        return $port;
    }
}
