<?php

/**
 * What a Redis needs for rate limits, as Markdown tables: memory per tenant, processor time and bytes of append-only
 * file per decision. `make figures` runs it. Processor time is the server's own account of it (INFO cpu), which other
 * load on the machine disturbs little.
 */

declare(strict_types=1);

use RedisRateLimit\Bench\Environment;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\RedisServer;

require __DIR__ . '/../autoload.php';

ini_set('ratelimit.refusal_cache_ttl_ms', '0'); // every decision is to reach Redis
const TENANT = 'tenant-%08d'; // a key of 29 bytes: rl:api:tenant-00000042:global
const ROUNDS = 15;
const CALLS = 5_000;

function limiter(RedisServer $redis): RateLimiter
{
    return new RateLimiter($redis->url(), timeout: 10.0);
}

/**
 * Bytes of the keys of one tenant that has just consumed $calls times at $cost; and of all of Redis' memory per such
 * tenant, so with its places in the tables of keys and of TTLs.
 *
 * @return array{int, int}
 */
function memory(RedisServer $redis, Policy $policy, int $cost = 1, int $calls = 1): array
{
    $redis->command('FLUSHALL');
    $limiter = limiter($redis);
    $consume = static function (int $tenant) use ($limiter, $policy, $cost, $calls): void {
        for ($call = 0; $call < $calls; $call++) {
            $limiter->consume($policy, sprintf(TENANT, $tenant), cost: $cost, requestId: sprintf('request-%08d-%08d', $tenant, $call))->ensureAllowed();
        }
    };
    $consume(0);
    $keys = array_sum(array_map(static fn (string $key): int => $redis->command('MEMORY', 'USAGE', $key), $redis->keys()));
    $before = (int) $redis->info('used_memory');
    $tenants = $cost * $calls > 10 ? 500 : 8_000;
    for ($tenant = 1; $tenant <= $tenants; $tenant++) {
        $consume($tenant);
    }

    return [$keys, (int) round(((int) $redis->info('used_memory') - $before) / $tenants)];
}

/** A call that consumes from a tenant of its own, every time allowed or every time refused. */
function consuming(RedisServer $redis, Policy $policy, int $tenant, bool $allowed): callable
{
    $limiter = limiter($redis);
    $name = sprintf(TENANT, $tenant);
    while (!$allowed && $limiter->consume($policy, $name)->allowed);

    return static fn () => $limiter->consume($policy, $name)->allowed === $allowed ?: throw new \LogicException("$policy->algorithm: not what was to be measured");
}

/** What a number of the server grows by per call. */
function perCall(callable $number, callable $call): float
{
    $before = $number();
    for ($i = 0; $i < CALLS; $i++) {
        $call();
    }

    return ($number() - $before) / CALLS;
}

/**
 * Microseconds of the server's processor per call, taking turns: the least of the rounds, for what else the machine
 * does only adds.
 *
 * @param array<string, callable> $calls
 * @return array<string, float>
 */
function processor(RedisServer $redis, array $calls): array
{
    $used = static fn (): float => (float) $redis->info('used_cpu_user') + (float) $redis->info('used_cpu_sys');
    $least = array_fill_keys(array_keys($calls), INF);
    for ($round = 0; $round < ROUNDS; $round++) {
        foreach ($calls as $name => $call) {
            $least[$name] = min($least[$name], 1e6 * perCall($used, $call));
        }
    }

    return $least;
}

function line(string|int|float ...$cells): void
{
    $text = static fn (string|int|float $cell): string => is_string($cell) ? $cell : number_format($cell, is_float($cell) ? 1 : 0);
    echo '| ', implode(' | ', array_map($text, $cells)), " |\n";
}

$plain = new RedisServer();
$logging = new RedisServer(['appendonly' => 'yes', 'appendfsync' => 'no', 'auto-aof-rewrite-percentage' => 0]);
['redis' => $version, 'php' => $php, 'processor' => $processor] = Environment::with($plain);
echo "Redis $version, PHP $php, $processor\n\n";

line('state of one tenant', 'MEMORY USAGE', 'all memory per tenant');
line('---', '--:', '--:');
line('token bucket, leaky bucket', ...memory($plain, Policy::tokenBucket('api', 100, 10)));
line('fixed window', ...memory($plain, Policy::fixedWindow('api', 100, 3600)));
line('sliding window', ...memory($plain, Policy::slidingWindow('api', 100, 3600)));
foreach ([10, 100, 1_000, 10_000] as $limit) {
    line('sliding log with ' . number_format($limit) . ' entries', ...memory($plain, Policy::slidingLog('api', $limit, 3600), $limit));
}
foreach ([10, 100] as $limit) {
    line("audit log with $limit entries", ...memory($plain, Policy::slidingLog('api', $limit, 3600, audit: true), calls: $limit));
}
$pair = static fn (int $limit): Policy => Policy::compound('api', Policy::slidingLog('burst', 10, 60), Policy::fixedWindow('daily', $limit, 86_400));
line('compound: log with 10 entries, fixed window', ...memory($plain, $pair(100), 10));

echo "\n";
line('decision', 'processor, µs', 'per second and core', 'append-only file, bytes');
line('---', '--:', '--:', '--:');
$much = 1_000_000;
$cases = [
    'token bucket' => [Policy::tokenBucket('api', $much, $much), Policy::tokenBucket('api', 1, 1, 3600)],
    'fixed window' => [Policy::fixedWindow('api', $much, 3600), Policy::fixedWindow('api', 1, 3600)],
    'sliding window' => [Policy::slidingWindow('api', $much, 3600), Policy::slidingWindow('api', 1, 3600)],
    'sliding log, about 100 entries' => [Policy::slidingLog('api', 10_000, '5 ms'), Policy::slidingLog('api', 100, 3600)],
    'compound of log and fixed window' => [
        Policy::compound('api', Policy::slidingLog('burst', 10_000, '5 ms'), Policy::fixedWindow('daily', $much, 86_400)),
        Policy::compound('api', Policy::slidingLog('burst', 10, 3600), Policy::fixedWindow('daily', $much, 86_400)),
    ],
];
$plain->command('FLUSHALL');
$calls = ['for comparison: PING' => limiter($plain)->ping(...)];
$bytes = ['for comparison: PING' => 0];
foreach ($cases as $name => $policies) {
    foreach ($policies as $refused => $policy) {
        $case = $name . ($refused ? ', refused' : ', allowed');
        $calls[$case] = consuming($plain, $policy, count($calls), !$refused);
        $bytes[$case] = (int) round(perCall(static fn (): int => (int) $logging->info('aof_current_size'), consuming($logging, $policy, count($calls), !$refused)));
    }
}
foreach (processor($plain, $calls) as $case => $micros) {
    line($case, $micros, (int) round(1e6 / $micros, -3), $bytes[$case]);
}
$plain->stop();
$logging->stop();
