<?php

declare(strict_types=1);

namespace App\Http\Middleware;

use Closure;
use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\Response;

/** The least that a limit in Redis costs: one call of a script that does nothing, with as many bytes as ours has. */
final class FloorScript
{
    private static ?\Redis $redis = null;

    public function handle(Request $request, Closure $next): Response
    {
        if (self::$redis === null) {
            self::$redis = new \Redis();
            self::$redis->pconnect(config('database.redis.default.host'));
        }
        self::$redis->evalSha(config('bench.script'), ['floor', str_repeat('x', 50), 60_000, str_repeat('x', 40)], 1);

        return $next($request);
    }
}
