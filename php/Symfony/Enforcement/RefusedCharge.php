<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Enforcement;

use RedisRateLimit\Decision;

/** A refusal, and whose budget it concerned. */
final class RefusedCharge
{
    public function __construct(
        public readonly Decision $decision,
        public readonly string $tenant,
        public readonly string $scope,
    ) {
    }
}
