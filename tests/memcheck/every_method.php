<?php

/** Touches every method of the extension, for valgrind to watch: `make memcheck`. */

declare(strict_types=1);

use RedisRateLimit\Decision;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\RedisServer;

require __DIR__ . '/../autoload.php';

$redis = new RedisServer();
// valgrind slows everything down by far more than a deadline allows for.
$limiter = new RateLimiter($redis->url(), timeout: 60.0, prefix: 'memcheck');
$window = Policy::fixedWindow('fixed', 5, 60, aligned: true);
$policies = [
    Policy::tokenBucket('bucket', 5, 1, '10 seconds'),
    Policy::leakyBucket('queue', 5, 1, 0.5),
    Policy::slidingLog('log', 5, 60),
    Policy::slidingLog('audit', 5, 60, audit: true)->failClosed(),
    Policy::slidingWindow('sliding', 5, 60)->shared(),
    $window->shadow()->failOpen(),
    Policy::compound('all', Policy::tokenBucket('a', 9, 1), Policy::slidingLog('b', 5, 60), $window->shared()),
    Policy::unlimited('free'),
    Policy::fromArray('words', ['policy' => 'token_bucket', 'limit' => 5, 'rate' => ['amount' => 1, 'interval' => '1 minute']]),
];

$attempt = static function (callable $call): void {
    try {
        @$call();
    } catch (\Throwable $expected) {
        $expected->getMessage();
    }
};

foreach ($policies as $policy) {
    foreach ([1, 4, 1, 9] as $cost) {
        $decision = $limiter->consume($policy, "tenant \0 :{}", 'a:b', $cost, 'request');
        $limiter->peek($policy, "tenant \0 :{}", 'a:b', $cost);
        $decision->toHeaders();
        $decision->toStandardHeaders();
        Decision::fromArray($decision->jsonSerialize());
        json_encode([$decision, $policy]);
        var_export($decision, true);
        $attempt(static fn () => $decision->ensureAllowed());
        $limiter->refund(clone $decision);
    }
    Policy::fromArray($policy->name, $policy->toArray());
    $attempt(static fn () => $limiter->history($policy, 'alice'));
    $limiter->reset($policy, str_repeat('long', 100));
}
$limiter->ping();
RateLimiter::stats();

$attempt(static fn () => Policy::fixedWindow('p', 0, '1 month'));
$attempt(static fn () => Policy::fromArray('p', ['limt' => 1]));
$attempt(static fn () => new RateLimiter('http://user:password@host'));
$attempt(static fn () => $limiter->consume($window, ''));
$attempt(static fn () => $limiter->consume('no policy', 'alice'));
$attempt(static fn () => $limiter->__construct());
$attempt(static fn () => serialize($limiter));

$redis->command('SCRIPT', 'FLUSH');
$limiter->consume($policies[0], 'alice');
$redis->stop();
$attempt(static fn () => $limiter->consume($policies[3], 'alice'));
$attempt(static fn () => $limiter->consume($policies[0], 'alice'));
$attempt(static fn () => $limiter->ping());
echo "every method was called\n";
