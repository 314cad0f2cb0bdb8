<?php

/** The process behind Proxy: port, address of the server and seed are its arguments. */

declare(strict_types=1);

[, $port, $upstream, $seed] = $argv;
mt_srand((int) $seed);
$listener = stream_socket_server("tcp://127.0.0.1:$port", $code, $text, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN);
echo "listening\n";

/** @var array<int, array{resource, resource}> $pairs the two ends of each connection, by the number of either */
$pairs = [];
/** @var list<array{float, resource, string}> $late what is to be sent when */
$late = [];

$hangUp = static function (array $pair) use (&$pairs): void {
    foreach ($pair as $socket) {
        unset($pairs[(int) $socket]);
        @fclose($socket);
    }
};

while (true) {
    $readable = [$listener, ...array_column($pairs, 'from')];
    $none = null;
    @stream_select($readable, $none, $none, 0, $late === [] ? 200_000 : 1000);
    foreach ($late as $number => [$at, $client, $bytes]) {
        if (microtime(true) >= $at) {
            unset($late[$number]);
            is_resource($client) && @fwrite($client, $bytes);
        }
    }
    foreach ($readable as $socket) {
        if ($socket === $listener) {
            $client = stream_socket_accept($listener);
            $server = stream_socket_client($upstream);
            $pairs[(int) $client] = ['from' => $client, 'to' => $server, 'replies' => false];
            $pairs[(int) $server] = ['from' => $server, 'to' => $client, 'replies' => true];
            continue;
        }
        $pair = $pairs[(int) $socket] ?? null;
        if ($pair === null) {
            continue;
        }
        $bytes = (string) @fread($socket, 65536);
        $ends = [$pair['from'], $pair['to']];
        if ($bytes === '') {
            $hangUp($ends);
            continue;
        }
        switch ($pair['replies'] ? mt_rand(0, 31) : 31) {
            case 0:
                $late[] = [microtime(true) + mt_rand(1, 60) / 1000, $pair['to'], $bytes];
                break;
            case 1:
                @fwrite($pair['to'], substr($bytes, 0, mt_rand(0, strlen($bytes) - 1)));
                break;
            case 2:
                break;
            case 3:
                $hangUp($ends);
                break;
            default:
                @fwrite($pair['to'], $bytes);
        }
    }
}
