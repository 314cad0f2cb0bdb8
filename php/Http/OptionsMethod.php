<?php

declare(strict_types=1);

namespace RedisRateLimit\Http;

use Symfony\Component\HttpFoundation\Request;

/**
 * OPTIONS is not counted: a browser asks it before a cross-origin request, and it would take what that request needs.
 * Any OPTIONS, for what tells a browser's preflight from others is in its headers, and those anybody can send.
 */
final class OptionsMethod
{
    private const NAME = 'OPTIONS';

    /** @param string $method as it was sent, no override considered */
    public static function is(string $method): bool
    {
        return $method === self::NAME;
    }

    /** The same of Symfony's request, which is Laravel's too. */
    public static function isOf(Request $request): bool
    {
        return self::is($request->getRealMethod());
    }
}
