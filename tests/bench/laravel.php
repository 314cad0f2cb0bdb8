<?php

/**
 * What a limit adds to a Laravel request: one application, one Redis, routes that differ only in their middleware,
 * asked in turn. Once under nginx and PHP-FPM, where every request begins anew, once in one process, as under Octane.
 * Prints medians in µs and the ratio of what is added to what ThrottleRequestsWithRedis adds.
 *
 *     php -d extension=modules/ratelimit.so tests/bench/laravel.php [rounds]
 */

declare(strict_types=1);

use Illuminate\Contracts\Http\Kernel;
use Illuminate\Foundation\Application as Laravel;
use Illuminate\Http\Request;
use RedisRateLimit\Tests\Laravel\Application;
use RedisRateLimit\Tests\Support\FpmPool;
use RedisRateLimit\Tests\Support\HttpClient;
use RedisRateLimit\Tests\Support\Nginx;
use RedisRateLimit\Tests\Support\RedisServer;

require dirname(__DIR__) . '/autoload.php';

const FREE = 'no-limit';
const PEER = 'ThrottleRequestsWithRedis';
const ROUTES = [FREE, 'ThrottleRequests', PEER, 'throttle-replaced', 'ratelimit'];
const WARM_UP = 100;

/** @param Closure(string): int $ask sends a request to a path and returns the status */
function measure(string $title, int $rounds, Closure $ask): void
{
    $microseconds = array_fill_keys(ROUTES, []);
    for ($round = -WARM_UP; $round < $rounds; $round++) {
        foreach (ROUTES as $route) {
            $start = hrtime(true);
            $status = $ask("/bench/$route");
            $spent = (hrtime(true) - $start) / 1_000;
            if ($status !== 200) {
                throw new RuntimeException("$route: $status");
            }
            if ($round >= 0) {
                $microseconds[$route][] = $spent;
            }
        }
    }
    $medians = array_map(median(...), $microseconds);
    $added = array_map(static fn (float $median): float => $median - $medians[FREE], $medians);
    printf("\n%-42s %9s %9s %7s\n", "$title, $rounds rounds", 'median', 'added', 'ratio');
    foreach ($medians as $route => $median) {
        printf("%-42s %9.1f %9.1f %7.2f\n", $route, $median, $added[$route], $added[$route] / $added[PEER]);
    }
}

/** @param list<float> $values */
function median(array $values): float
{
    sort($values);

    return $values[intdiv(count($values), 2)];
}

$rounds = (int) ($argv[1] ?? 2000);
$redis = new RedisServer();
$application = new Application([
    'ratelimit.url' => $redis->url(),
    'ratelimit.policies' => ['bench' => ['policy' => 'fixed_window', 'limit' => 100_000_000, 'interval' => '1 minute']],
    'cache.default' => 'redis',
    'database.redis.default' => ['host' => $redis->socket, 'port' => 0],
]);
foreach (['config:cache', 'route:cache'] as $command) {
    $application->artisan($command);
}
printf("Laravel %s, PHP %s, Redis on a unix socket, µs\n", Laravel::VERSION, PHP_VERSION);

$pool = new FpmPool(1, ['opcache.enable' => '1']);
$nginx = new Nginx($pool, "{$application->path}/public/index.php");
measure('PHP-FPM', $rounds, static fn (string $path): int => HttpClient::get($nginx->url($path))->status);
$nginx->stop();
$pool->stop();

$kernel = $application->boot()->make(Kernel::class);
measure('One process', $rounds, static fn (string $path): int => $kernel->handle(Request::create($path))->getStatusCode());
