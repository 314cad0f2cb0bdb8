<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Tenant;

use RedisRateLimit\Tenant\Tenant;
use Symfony\Component\HttpFoundation\Request;

/**
 * An API key in a header, hashed. Only where something before has verified the key: a client that invents a new one
 * for each request would have a new budget each time.
 */
final class ApiKeyTenant implements TenantResolver
{
    public function __construct(private string $header = 'X-Api-Key')
    {
    }

    public function resolve(Request $request): ?string
    {
        $key = (string) $request->headers->get($this->header);

        return $key === '' ? null : Tenant::secret($key);
    }
}
