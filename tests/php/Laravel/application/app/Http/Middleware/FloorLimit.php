<?php

declare(strict_types=1);

namespace App\Http\Middleware;

use Closure;
use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\Response;

/**
 * The least that a limit in Redis costs: the user is looked up, a script that does nothing is called, with as many bytes
 * as ours has, and the response gets headers.
 */
final class FloorLimit
{
    private static ?\Redis $redis = null;

    public function handle(Request $request, Closure $next): Response
    {
        $tenant = $request->user()?->getAuthIdentifier() ?? $request->ip();
        if (self::$redis === null) {
            self::$redis = new \Redis();
            self::$redis->pconnect(config('database.redis.default.host'));
        }
        self::$redis->evalSha(config('bench.script'), ["floor:$tenant", str_repeat('x', 50), 60_000, str_repeat('x', 40)], 1);
        $response = $next($request);
        $response->headers->add(['X-RateLimit-Limit' => '60', 'X-RateLimit-Remaining' => '59', 'X-RateLimit-Reset' => '60']);

        return $response;
    }
}
