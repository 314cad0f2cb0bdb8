<?php

declare(strict_types=1);

namespace RedisRateLimit\Http;

use Symfony\Component\HttpFoundation\Request;

/**
 * OPTIONS: a browser's question before a cross-origin request, or anybody's after what a URL can. It is not counted, for
 * it would take what that request needs.
 */
final class Preflight
{
    private const METHOD = 'OPTIONS';

    /** @param string $method as it was sent, no override considered */
    public static function is(string $method): bool
    {
        return $method === self::METHOD;
    }

    /** The same of Symfony's request, which is Laravel's too. */
    public static function isRequest(Request $request): bool
    {
        return self::is($request->getRealMethod());
    }
}
