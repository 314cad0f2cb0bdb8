<?php

declare(strict_types=1);

namespace RedisRateLimit\Http;

use Psr\Http\Message\ServerRequestInterface;
use RedisRateLimit\Tenant\Tenant;

/** Says whom a PSR-7 request counts for: the application's closure, or where there is none its bearer token or address. */
final class RequestTenant
{
    /** @var \Closure(ServerRequestInterface): mixed a non-empty string, but the application writes it */
    private readonly \Closure $tenant;

    /** @param ?callable(ServerRequestInterface): string $tenant null: bearer token (hashed), else REMOTE_ADDR */
    public function __construct(?callable $tenant)
    {
        $this->tenant = ($tenant ?? self::tokenOrAddress(...))(...);
    }

    /** @throws \InvalidArgumentException where the closure names nobody; the message names the policy that it stands in front of */
    public function of(ServerRequestInterface $request, string $policy): string
    {
        $tenant = ($this->tenant)($request);

        return is_string($tenant) && $tenant !== '' ? $tenant : throw new \InvalidArgumentException(sprintf(
            'The tenant closure in front of the policy "%s" returned %s: return whom the request counts for, as Tenant::user("42"), and where nobody is known Tenant::ip($address).',
            $policy,
            $tenant === '' ? 'an empty string' : get_debug_type($tenant),
        ));
    }

    private static function tokenOrAddress(ServerRequestInterface $request): string
    {
        $match = [];
        preg_match('/^Bearer +(\S+)$/i', $request->getHeaderLine('Authorization'), $match);
        $address = $request->getServerParams()['REMOTE_ADDR'] ?? null;

        return Tenant::firstOf(null, $match[1] ?? null, is_string($address) ? $address : null);
    }
}
