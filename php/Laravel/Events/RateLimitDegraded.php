<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Events;

use RedisRateLimit\Decision;

/** Redis did not answer, so the policy's failure rule did; $decision->error says why. */
final class RateLimitDegraded
{
    public function __construct(
        public readonly Decision $decision,
        public readonly string $tenant,
        public readonly string $scope,
    ) {
    }
}
