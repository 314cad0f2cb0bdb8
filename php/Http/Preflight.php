<?php

declare(strict_types=1);

namespace RedisRateLimit\Http;

use Symfony\Component\HttpFoundation\Request;

/** A browser's question before a cross-origin request. It is not counted, for it would take what that request needs. */
final class Preflight
{
    private const METHOD = 'OPTIONS';

    /**
     * A bare OPTIONS is none: on a route for any method it runs the controller.
     *
     * @param string $method        as it was sent, no override considered
     * @param string $origin        the header Origin
     * @param string $requestMethod the header Access-Control-Request-Method
     */
    public static function is(string $method, string $origin, string $requestMethod): bool
    {
        return $method === self::METHOD && $origin !== '' && $requestMethod !== '';
    }

    /** The same of Symfony's request, which is Laravel's too. Its headers are looked up only where the method is right. */
    public static function isRequest(Request $request): bool
    {
        $headers = $request->headers;

        return $request->getRealMethod() === self::METHOD
            && self::is(self::METHOD, (string) $headers->get('Origin'), (string) $headers->get('Access-Control-Request-Method'));
    }
}
