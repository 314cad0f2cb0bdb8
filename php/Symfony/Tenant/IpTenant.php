<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Tenant;

use RedisRateLimit\Tenant\Tenant;
use Symfony\Component\HttpFoundation\Request;

/** The client's address, trusted proxies considered; IPv6 addresses by their /64 network. */
final class IpTenant implements TenantResolver
{
    public function resolve(Request $request): ?string
    {
        return Tenant::ip($request->getClientIp());
    }
}
