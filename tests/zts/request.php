<?php

/** One request of ThreadsTest: 1,000 decisions of a budget that all threads share; returns how many were allowed. */

declare(strict_types=1);

use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;

// Settings of a request are its own: another thread's must not be seen here, nor an earlier request's.
$timeout = (string) random_int(5_000, 9_000);
if (ini_get('ratelimit.timeout_ms') !== '10000') {
    throw new LogicException('a setting came from another request: ' . ini_get('ratelimit.timeout_ms'));
}
ini_set('ratelimit.timeout_ms', $timeout);

$limiter = new RateLimiter();
$policy = Policy::fixedWindow('threads', 150_000, '1 day');
$allowed = 0;
for ($i = 0; $i < 1_000; $i++) {
    $decision = $limiter->consume($policy, 'everyone');
    if ($decision->degraded) {
        throw new RuntimeException((string) $decision->error);
    }
    $allowed += (int) $decision->allowed;
}
if (ini_get('ratelimit.timeout_ms') !== $timeout) {
    throw new LogicException('a setting changed under a request: ' . ini_get('ratelimit.timeout_ms'));
}

return $allowed;
