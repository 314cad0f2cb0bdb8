<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Events;

use RedisRateLimit\Decision;

/** Somebody was refused. */
final class RateLimitExceeded
{
    /** @param string $tenant secrets are hashed in it, but names and addresses are not: log Secret::hash() of it */
    public function __construct(
        public readonly Decision $decision,
        public readonly string $tenant,
        public readonly string $scope,
    ) {
    }
}
