<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Enforcement;

use Symfony\Component\HttpFoundation\Request;

/** A request's path as the router reads it: decoded, so that /%61pi and /api are one path to limits as well. */
final class Path
{
    public static function of(Request $request): string
    {
        return rawurldecode($request->getPathInfo());
    }
}
