<?php

/**
 * What a limit adds to a Laravel request: one application, one Redis, routes that differ only in their middleware,
 * asked in turn. Once in one process, as under Octane, once under nginx and PHP-FPM, where every request begins anew.
 * Prints in µs the median of the requests and of what each took longer than the one without a limit of the same round,
 * and the ratio of that to what ThrottleRequestsWithRedis adds. The floors are a middleware that does nothing, and one
 * that knows the user, calls a script that does nothing and sends headers.
 *
 *     php -d extension=modules/ratelimit.so tests/bench/laravel.php [rounds]
 */

declare(strict_types=1);

use Illuminate\Contracts\Http\Kernel;
use Illuminate\Foundation\Application as Laravel;
use Illuminate\Http\Request;
use RedisRateLimit\Bench\ClassMap;
use RedisRateLimit\Tests\Laravel\Application;
use RedisRateLimit\Tests\Support\FpmPool;
use RedisRateLimit\Tests\Support\HttpClient;
use RedisRateLimit\Tests\Support\Nginx;
use RedisRateLimit\Tests\Support\RedisServer;

require dirname(__DIR__) . '/autoload.php';

const FREE = 'no-limit';
const PEER = 'ThrottleRequestsWithRedis';
const ROUTES = [FREE, 'floor-middleware', 'floor-limit', 'ThrottleRequests', PEER, 'throttle-replaced', 'ratelimit'];
const WARM_UP = 100;

/** @param Closure(string): int $ask sends a request to a path and returns the status */
function measure(string $title, int $rounds, RedisServer $redis, Closure $ask): void
{
    $spent = $added = array_fill_keys(ROUTES, []);
    for ($round = -WARM_UP; $round < $rounds; $round++) {
        $times = askAll($redis, $ask);
        foreach ($round < 0 ? [] : $times as $route => $time) {
            $spent[$route][] = $time;
            $added[$route][] = $time - $times[FREE];
        }
    }
    $added = array_map(median(...), $added);
    printf("\n%-42s %9s %9s %7s\n", "$title, $rounds rounds", 'median', 'added', 'ratio');
    foreach (ROUTES as $route) {
        printf("%-42s %9.1f %9.1f %7.2f\n", $route, median($spent[$route]), $added[$route], $added[$route] / $added[PEER]);
    }
}

/**
 * One round, in another order each time, and Redis awake as in production: whoever wakes it would pay for that.
 *
 * @param Closure(string): int $ask
 *
 * @return array<string, float> microseconds by route
 */
function askAll(RedisServer $redis, Closure $ask): array
{
    $order = ROUTES;
    shuffle($order);
    $times = [];
    foreach ($order as $route) {
        $redis->command('PING');
        $start = hrtime(true);
        $status = $ask("/bench/$route");
        $times[$route] = (hrtime(true) - $start) / 1_000;
        if ($status !== 200) {
            throw new RuntimeException("$route: $status");
        }
    }

    return $times;
}

/** @param Closure(Closure(string): int): void $work gets what asks one worker that begins anew with every request */
function underFpm(Application $application, Closure $work): void
{
    $pool = new FpmPool(1, ['opcache.enable' => '1', 'opcache.validate_timestamps' => '0', 'opcache.file_update_protection' => '0']);
    $nginx = new Nginx($pool, "{$application->path}/public/index.php");
    $work(static fn (string $path): int => HttpClient::get($nginx->url($path))->status);
    $nginx->stop();
    $pool->stop();
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
    'ratelimit.timeout' => 1, // a server that has to wait for a processor is to be measured, not given up
    'ratelimit.policies' => ['bench' => ['policy' => 'fixed_window', 'limit' => 100_000_000, 'interval' => '1 minute']],
    'cache.default' => 'redis',
    'database.redis.default' => ['host' => $redis->socket, 'port' => 0, 'persistent' => true],
    'bench.script' => $redis->command('SCRIPT', 'LOAD', file_get_contents(__DIR__ . '/lua/floor_empty.lua')),
]);
foreach (['config:cache', 'route:cache'] as $command) {
    $application->artisan($command);
}
printf("Laravel %s, PHP %s, Redis on a unix socket, µs\n", Laravel::VERSION, PHP_VERSION);

$kernel = $application->boot()->make(Kernel::class);
measure('One process', $rounds, $redis, static function (string $path) use ($kernel): int {
    $request = Request::create($path);
    $response = $kernel->handle($request);
    $kernel->terminate($request, $response);

    return $response->getStatusCode();
});

// Under PHP-FPM Laravel loads classes that it does not load in a process of the command line.
$autoload = "{$application->path}/autoload.php";
$classes = "{$application->path}/classes";
file_put_contents($autoload, ClassMap::recorder($classes), FILE_APPEND);
underFpm($application, static function (Closure $ask) use ($redis): void {
    askAll($redis, $ask);
    askAll($redis, $ask); // by now the worker has ended every request of the first round, and whatever follows its answer
});
ClassMap::load($classes);
file_put_contents($autoload, ClassMap::ofThisProcess());
underFpm($application, static fn (Closure $ask) => measure('PHP-FPM', $rounds, $redis, $ask));
