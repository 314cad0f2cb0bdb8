<?php

/** What the demo's application limits, by name. */

declare(strict_types=1);

use RedisRateLimit\Policy;

return [
    // For one burst: 100 and, for the next hour, hardly more.
    'token-bucket' => Policy::tokenBucket('token-bucket', 100, 1, '1 hour'),
    'leaky-bucket' => Policy::leakyBucket('leaky-bucket', 100, 1, '1 hour'),
    'sliding-log' => Policy::slidingLog('sliding-log', 100, '1 hour'),
    'audit-log' => Policy::slidingLog('audit-log', 100, '1 hour', audit: true),
    'sliding-window' => Policy::slidingWindow('sliding-window', 100, '1 day'),
    'fixed-window' => Policy::fixedWindow('fixed-window', 100, '1 hour'),
    'compound' => Policy::compound(
        'compound',
        Policy::tokenBucket('burst', 100, 1, '1 hour'),
        Policy::fixedWindow('daily', 5000, '1 day'),
    ),

    // To be watched for some seconds.
    '20, and 10 per second' => Policy::tokenBucket('live-bucket', 20, 10, '1 second'),
    'queue of 10, 10 per second' => Policy::leakyBucket('live-queue', 10, 10, '1 second'),
    'log of 20 in 2 seconds' => Policy::slidingLog('live-log', 20, '2 seconds'),
    'weighted 20 in 2 seconds' => Policy::slidingWindow('live-sliding', 20, '2 seconds'),
    'fixed 20 in 2 seconds' => Policy::fixedWindow('live-fixed', 20, '2 seconds'),
];
