<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Enforcement;

use RedisRateLimit\Decision;
use RedisRateLimit\Tenant\Secret;

/** A refusal, and whose budget it concerned. */
final class RefusedCharge
{
    public function __construct(
        public readonly Decision $decision,
        private string $tenant,
        public readonly string $scope,
    ) {
    }

    public function tenantHash(): string
    {
        return Secret::hash($this->tenant);
    }
}
