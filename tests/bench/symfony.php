<?php

/**
 * What a limit adds to a Symfony request: kernels that differ only in their limiter, one process, one Redis, one
 * route, asked in turn. Prints medians in µs and the ratio to Symfony's own limiter without a lock. The floor is a
 * subscriber that knows the address, has phpredis call a script that does all but decide, and sends headers.
 *
 *     php -d extension=modules/ratelimit.so tests/bench/symfony.php [rounds]
 */

declare(strict_types=1);

use RedisRateLimit\Tests\Support\RedisServer;
use RedisRateLimit\Tests\Support\TemporaryDirectory;
use RedisRateLimit\Tests\Symfony\App\Application;
use RedisRateLimit\Tests\Symfony\App\FloorSubscriber;
use RedisRateLimit\Tests\Symfony\App\PeerSubscriber;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpKernel\Kernel;

require dirname(__DIR__) . '/bootstrap.php';

const FREE = 'no bundle';
const PEER = 'symfony, no lock';
const WARM_UP = 200;

$redis = new RedisServer();
$peer = static fn (string $lock): string => sprintf(<<<'YAML'
    framework:
        cache: { pools: { limits: { adapter: cache.adapter.redis, provider: 'redis://%1$s' } } }
        lock: 'redis://%1$s'
        rate_limiter:
            peer: { policy: token_bucket, limit: 100000000, rate: { interval: '1 minute', amount: 100000000 }, cache_pool: limits, lock_factory: %2$s }
    services:
        %3$s: { arguments: ['@limiter.peer'], tags: [kernel.event_subscriber] }
    YAML, $redis->socket, $lock, PeerSubscriber::class);
$ours = static fn (string $policies): string => <<<YAML
    redis_rate_limit:
        url: '{$redis->url()}'
        routes: { hello: $policies }
        policies:
            api: { policy: token_bucket, limit: 100000000, rate: { interval: '1 minute', amount: 100000000 } }
            daily: { policy: fixed_window, limit: 100000000, interval: '1 day' }
    YAML;
$configurations = [
    FREE => 'parameters: {}',
    'floor: all but deciding' => sprintf("services: { %s: { arguments: ['%s'], tags: [kernel.event_subscriber] } }", FloorSubscriber::class, $redis->socket),
    'bundle, route without limit' => $ours('~'),
    'bundle, one policy' => $ours('api'),
    'bundle, two policies' => $ours('[api, daily]'),
    PEER => $peer('~'),
    'symfony, lock' => $peer('lock.factory'),
];

$directories = $kernels = $microseconds = [];
foreach ($configurations as $name => $yaml) {
    $directories[] = $directory = new TemporaryDirectory('ratelimit-bench');
    $directory->write('config.yaml', $yaml);
    $kernels[$name] = new Application($directory->path);
    $microseconds[$name] = [];
}

$rounds = (int) ($argv[1] ?? 3000);
for ($round = -WARM_UP; $round < $rounds; $round++) {
    // In another order each time, and Redis awake as in production: whoever wakes it would pay for that.
    $order = array_keys($kernels);
    shuffle($order);
    foreach ($order as $name) {
        $kernel = $kernels[$name];
        $request = Request::create('/hello');
        $redis->command('PING');
        $start = hrtime(true);
        $response = $kernel->handle($request);
        $spent = (hrtime(true) - $start) / 1_000;
        if ($response->getStatusCode() !== 200) {
            throw new RuntimeException("$name: {$response->getStatusCode()} {$response->getContent()}");
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
printf("Symfony %s, PHP %s, %d rounds, unix socket\n%-28s %9s %9s %7s\n", Kernel::VERSION, PHP_VERSION, $rounds, 'µs per request', 'median', 'added', 'ratio');
foreach ($medians as $name => $median) {
    printf("%-28s %9.1f %9.1f %7.2f\n", $name, $median, $added[$name], $added[$name] / $added[PEER]);
}
