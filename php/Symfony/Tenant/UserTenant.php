<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Tenant;

use RedisRateLimit\Tenant\Tenant;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\Security\Core\Authentication\Token\Storage\TokenStorageInterface;

/** The user that the firewall authenticated. Asking makes a lazy firewall load its session. */
final class UserTenant implements TenantResolver
{
    public function __construct(private ?TokenStorageInterface $tokens)
    {
    }

    public function resolve(Request $request): ?string
    {
        $token = $this->tokens?->getToken();

        return $token !== null && is_object($token->getUser()) ? Tenant::user($token->getUserIdentifier()) : null;
    }
}
