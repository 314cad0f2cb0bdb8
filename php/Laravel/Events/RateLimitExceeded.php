<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Events;

use RedisRateLimit\Decision;

/** Somebody was refused. Secrets in the tenant are hashed. */
final class RateLimitExceeded
{
    public function __construct(
        public readonly Decision $decision,
        public readonly string $tenant,
        public readonly string $scope,
    ) {
    }
}
