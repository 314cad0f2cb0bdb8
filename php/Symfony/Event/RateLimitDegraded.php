<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Event;

use RedisRateLimit\Decision;

/** Redis did not answer in time and the policy's failure rule decided: once for every such decision. */
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
