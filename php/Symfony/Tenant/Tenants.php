<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Tenant;

use Psr\Container\ContainerInterface;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\Security\Core\Authentication\Token\Storage\TokenStorageInterface;

/** Finds a request's tenant by the names of resolvers, as configuration and attributes write them. */
final class Tenants
{
    public const BUILT_IN = ['attribute', 'attribute:NAME', 'user', 'api_key', 'api_key:HEADER', 'ip'];

    /** @var array<string, TenantResolver> */
    private array $resolvers = [];

    /**
     * @param list<string>       $chain    tried in order
     * @param ContainerInterface $services the application's own resolvers by service id
     */
    public function __construct(
        private array $chain,
        private ContainerInterface $services,
        private ?TokenStorageInterface $tokens = null,
    ) {
    }

    /**
     * @param ?string $resolver null: the chain
     *
     * @return ?string null where nobody knows the tenant
     *
     * @throws \InvalidArgumentException for an unknown resolver
     */
    public function of(Request $request, ?string $resolver = null): ?string
    {
        foreach ($resolver === null ? $this->chain : [$resolver] as $name) {
            $tenant = ($this->resolvers[$name] ??= self::builtIn($name, $this->tokens) ?? $this->service($name))->resolve($request);
            if ($tenant !== null && $tenant !== '') {
                return $tenant;
            }
        }

        return null;
    }

    public static function isBuiltIn(string $name): bool
    {
        return self::builtIn($name, null) !== null;
    }

    private static function builtIn(string $name, ?TokenStorageInterface $tokens): ?TenantResolver
    {
        $arguments = explode(':', $name, 2);
        $kind = array_shift($arguments);

        return match (true) {
            $name === 'user' => new UserTenant($tokens),
            $name === 'ip' => new IpTenant(),
            $arguments === [''] => null,
            $kind === 'attribute' => new AttributeTenant(...$arguments),
            $kind === 'api_key' => new ApiKeyTenant(...$arguments),
            default => null,
        };
    }

    private function service(string $name): TenantResolver
    {
        $id = ltrim($name, '@');
        $service = $this->services->has($id) ? $this->services->get($id) : null;

        return $service instanceof TenantResolver ? $service : throw new \InvalidArgumentException(self::unknown($name));
    }

    public static function unknown(string $name): string
    {
        return sprintf('"%s" is neither a built-in tenant resolver (%s) nor a service that implements %s.', $name, implode(', ', self::BUILT_IN), TenantResolver::class);
    }
}
