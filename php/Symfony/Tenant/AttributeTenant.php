<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Tenant;

use RedisRateLimit\Tenant\Tenant;
use Symfony\Component\HttpFoundation\Request;

/** A tenant that the application has put into the request's attributes, as a route placeholder or in a listener. */
final class AttributeTenant implements TenantResolver
{
    public function __construct(private string $attribute = 'tenant_id')
    {
    }

    public function resolve(Request $request): ?string
    {
        $value = $request->attributes->get($this->attribute);
        $id = is_scalar($value) || $value instanceof \Stringable ? (string) $value : '';

        return $id === '' ? null : Tenant::named($id);
    }
}
