<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use RedisRateLimit\Symfony\Tenant\TenantResolver;
use RedisRateLimit\Symfony\Tenant\Tenants;
use Symfony\Component\DependencyInjection\Compiler\CompilerPassInterface;
use Symfony\Component\DependencyInjection\Compiler\ServiceLocatorTagPass;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Reference;

/** Gives Tenants the services that configuration or tag name as resolvers. */
final class TenantResolversPass implements CompilerPassInterface
{
    public const TAG = 'redis_rate_limit.tenant_resolver';

    public function process(ContainerBuilder $container): void
    {
        if (!$container->hasDefinition(Tenants::class)) {
            return; // enabled: false
        }
        $ids = array_keys($container->findTaggedServiceIds(self::TAG));
        $environment = new EnvPlaceholders($container);
        /** @var list<scalar|null> $chain */
        $chain = $container->getDefinition(Tenants::class)->getArgument(0);
        foreach ($chain as $name) {
            $name = (string) $name;
            if (Tenants::isBuiltIn($name) || !$environment->isKnown($name)) {
                continue;
            }
            $id = ltrim($name, '@');
            if (!$container->has($id) || !self::isResolver($container, $id)) {
                throw ValueCheck::invalid('tenant', Tenants::unknown($name));
            }
            $ids[] = $id;
        }
        $services = array_map(static fn (string $id): Reference => new Reference($id), array_combine($ids, $ids));
        $container->getDefinition(Tenants::class)->setArgument(1, ServiceLocatorTagPass::register($container, $services));
    }

    /** As far as its class is known by now. */
    private static function isResolver(ContainerBuilder $container, string $id): bool
    {
        $class = $container->getParameterBag()->resolveValue($container->findDefinition($id)->getClass());

        return !is_string($class) || is_a($class, TenantResolver::class, true);
    }
}
