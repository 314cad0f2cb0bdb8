<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Tenant;

use Symfony\Component\HttpFoundation\Request;

/** Says whose budget a request is charged to. A service that implements it can be named in `redis_rate_limit.tenant`. */
interface TenantResolver
{
    /** @return ?string null or empty: not known here, so that the next resolver is asked */
    public function resolve(Request $request): ?string;
}
