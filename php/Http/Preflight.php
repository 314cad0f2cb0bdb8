<?php

declare(strict_types=1);

namespace RedisRateLimit\Http;

/** A browser's question before a cross-origin request. It is not counted, for it would take what that request needs. */
final class Preflight
{
    /**
     * A bare OPTIONS is none: on a route for any method it runs the controller.
     *
     * @param string $method        as it was sent, no override considered
     * @param string $origin        the header Origin
     * @param string $requestMethod the header Access-Control-Request-Method
     */
    public static function is(string $method, string $origin, string $requestMethod): bool
    {
        return $method === 'OPTIONS' && $origin !== '' && $requestMethod !== '';
    }
}
