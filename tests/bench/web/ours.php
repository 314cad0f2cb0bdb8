<?php

use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;

$decision = (new RateLimiter())->consume(Policy::tokenBucket('api', 100_000_000, 1_000), '203.0.113.77');
if (!$decision->allowed) {
    http_response_code(429);
}
