<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Event;

use RedisRateLimit\Decision;

/** Redis did not answer in time and the policy's failure rule decided: once for every such decision. */
final class RateLimitDegraded
{
    /** @param string $tenantHash Secret::hash() of the tenant: fit for logs */
    public function __construct(
        public readonly Decision $decision,
        public readonly string $tenantHash,
        public readonly string $scope,
    ) {
    }
}
