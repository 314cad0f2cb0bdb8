<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use RedisRateLimit\Symfony\Enforcement\ControllerLimits;
use Symfony\Component\DependencyInjection\Compiler\CompilerPassInterface;
use Symfony\Component\DependencyInjection\ContainerBuilder;

/** Tells ControllerLimits the classes of controllers that routes name by a service id. */
final class ControllerClassesPass implements CompilerPassInterface
{
    public function process(ContainerBuilder $container): void
    {
        $classes = [];
        foreach (array_keys($container->findTaggedServiceIds('controller.service_arguments')) as $id) {
            $class = $container->getParameterBag()->resolveValue($container->getDefinition($id)->getClass());
            if ($class !== null && $class !== $id) {
                $classes[$id] = $class;
            }
        }
        $container->getDefinition(ControllerLimits::class)->setArgument(0, $classes);
    }
}
