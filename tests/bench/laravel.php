<?php

/**
 * What a limit adds to a Laravel request: one application, one process, one Redis, routes that differ only in their
 * middleware, asked in turn. Prints medians in µs and the ratio to ThrottleRequestsWithRedis.
 *
 *     php -d extension=modules/ratelimit.so tests/bench/laravel.php [rounds]
 */

declare(strict_types=1);

use App\Http\Controllers\GreetingController;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Http\Request;
use Illuminate\Routing\Middleware\ThrottleRequests;
use Illuminate\Routing\Middleware\ThrottleRequestsWithRedis;
use Illuminate\Support\Facades\Route;
use RedisRateLimit\Laravel\Middleware\ThrottleRequests as OurThrottleRequests;
use RedisRateLimit\Tests\Laravel\Application;
use RedisRateLimit\Tests\Support\RedisServer;

require dirname(__DIR__) . '/bootstrap.php';

const FREE = 'no limit';
const PEER = 'ThrottleRequestsWithRedis';
const WARM_UP = 200;

$middleware = [
    FREE => [],
    'ThrottleRequests' => [ThrottleRequests::class . ':100000000,1,stock'],
    PEER => [ThrottleRequestsWithRedis::class . ':100000000,1,redis'],
    'throttle replaced' => [OurThrottleRequests::class . ':100000000,1,ours'],
    'ratelimit' => ['ratelimit:crowd'],
];

$redis = new RedisServer();
$application = new Application([
    'ratelimit.url' => $redis->url(),
    'ratelimit.policies' => ['crowd' => ['policy' => 'fixed_window', 'limit' => 100_000_000, 'interval' => '1 minute']],
    'cache.default' => 'redis',
    'database.redis.default' => ['host' => $redis->socket, 'port' => 0],
]);
$laravel = $application->boot();
$kernel = $laravel->make(Kernel::class);
foreach ($middleware as $name => $list) {
    Route::get('/bench/' . strtr($name, ' ', '-'), GreetingController::class)->middleware($list);
}

$microseconds = array_fill_keys(array_keys($middleware), []);
$rounds = (int) ($argv[1] ?? 3000);
for ($round = -WARM_UP; $round < $rounds; $round++) {
    foreach ($microseconds as $name => $_) {
        $request = Request::create('/bench/' . strtr($name, ' ', '-'));
        $start = hrtime(true);
        $response = $kernel->handle($request);
        $spent = (hrtime(true) - $start) / 1_000;
        if ($response->getStatusCode() !== 200) {
            throw new RuntimeException("$name: {$response->getStatusCode()}");
        }
        if ($round >= 0) {
            $microseconds[$name][] = $spent;
        }
    }
}

$medians = array_map(static function (array $times): float {
    sort($times);

    return $times[intdiv(count($times), 2)];
}, $microseconds);
$added = array_map(static fn (float $median): float => $median - $medians[FREE], $medians);
printf("Laravel %s, PHP %s, %d rounds, unix socket\n%-26s %9s %9s %7s\n", $laravel->version(), PHP_VERSION, $rounds, 'µs per request', 'median', 'added', 'ratio');
foreach ($medians as $name => $median) {
    printf("%-26s %9.1f %9.1f %7.2f\n", $name, $median, $added[$name], $added[$name] / $added[PEER]);
}
