<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use RedisRateLimit\Symfony\Tenant\TenantResolver;
use Symfony\Component\HttpFoundation\Request;

final class HeaderTenant implements TenantResolver
{
    public function resolve(Request $request): ?string
    {
        return $request->headers->get('X-Organisation');
    }
}
