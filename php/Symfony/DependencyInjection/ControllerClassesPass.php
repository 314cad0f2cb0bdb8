<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use RedisRateLimit\Symfony\Enforcement\ControllerLimits;
use Symfony\Component\DependencyInjection\Compiler\CompilerPassInterface;
use Symfony\Component\DependencyInjection\ContainerBuilder;

/**
 * Tells ControllerLimits the classes of services that a route may name by another id: all public ones, for a controller
 * needs no tag. Runs once definitions have their parents' classes.
 */
final class ControllerClassesPass implements CompilerPassInterface
{
    public function process(ContainerBuilder $container): void
    {
        if (!$container->hasDefinition(ControllerLimits::class)) {
            return; // enabled: false
        }
        $classes = [];
        foreach ($container->getDefinitions() + $container->getAliases() as $id => $service) {
            if (!$service->isPublic() || !$container->has($id)) {
                continue;
            }
            $class = $container->getParameterBag()->resolveValue($container->findDefinition($id)->getClass());
            if ($class !== null && $class !== $id) {
                $classes[$id] = $class;
            }
        }
        $container->getDefinition(ControllerLimits::class)->setArgument(0, $classes);
    }
}
