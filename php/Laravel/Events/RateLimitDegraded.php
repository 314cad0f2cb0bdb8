<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Events;

use RedisRateLimit\Decision;

/** Redis did not answer, so the policy's failure rule did; $decision->error says why. */
final class RateLimitDegraded
{
    /** @param string $tenant secrets are hashed in it, but names and addresses are not: log Secret::hash() of it */
    public function __construct(
        public readonly Decision $decision,
        public readonly string $tenant,
        public readonly string $scope,
    ) {
    }
}
