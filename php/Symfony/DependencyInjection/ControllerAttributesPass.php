<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use RedisRateLimit\Policies;
use RedisRateLimit\Policy;
use RedisRateLimit\Symfony\Attribute\RateLimited;
use RedisRateLimit\Symfony\Enforcement\ControllerLimits;
use RedisRateLimit\Symfony\Tenant\Tenants;
use RedisRateLimit\UnknownPolicy;
use Symfony\Component\Config\Definition\Exception\InvalidConfigurationException;
use Symfony\Component\DependencyInjection\Compiler\CompilerPassInterface;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Reference;

/**
 * Judges the #[RateLimited] attributes of the controllers that are tagged as such, which otherwise fail at the first
 * request of their routes. Runs once definitions have their parents' classes.
 */
final class ControllerAttributesPass implements CompilerPassInterface
{
    public function process(ContainerBuilder $container): void
    {
        if (!$container->hasDefinition(ControllerLimits::class)) {
            return; // enabled: false
        }
        /** @var array<string, array<string, mixed>> $policies */
        $policies = $container->getDefinition(Policies::class)->getArgument(0);
        /** @var Reference $locator */
        $locator = $container->getDefinition(Tenants::class)->getArgument(1);
        /** @var array<string, mixed> $resolvers */
        $resolvers = $container->findDefinition((string) $locator)->getArgument(0);
        $environment = new EnvPlaceholders($container);
        foreach (self::places($container) as $place) {
            try {
                foreach (ControllerLimits::attributes($place) as $limit) {
                    self::check($limit, $policies, $resolvers, $environment);
                }
            } catch (\InvalidArgumentException $e) {
                $where = $place instanceof \ReflectionMethod ? "{$place->class}::{$place->name}()" : $place->name;

                throw new InvalidConfigurationException("Invalid #[RateLimited] of $where: {$e->getMessage()}", 0, $e);
            }
        }
    }

    /** @return iterable<\ReflectionClass<object>|\ReflectionMethod> where controllers may have attributes */
    private static function places(ContainerBuilder $container): iterable
    {
        foreach (array_keys($container->findTaggedServiceIds('controller.service_arguments')) as $id) {
            $class = $container->getParameterBag()->resolveValue($container->findDefinition($id)->getClass());
            $controller = is_string($class) ? $container->getReflectionClass($class, false) : null;
            if ($controller !== null) {
                yield $controller;
                yield from $controller->getMethods(\ReflectionMethod::IS_PUBLIC);
            }
        }
    }

    /**
     * @param array<string, array<string, mixed>> $policies
     * @param array<string, mixed>                $resolvers by service id
     */
    private static function check(RateLimited $limit, array $policies, array $resolvers, EnvPlaceholders $environment): void
    {
        if ($limit->tenant !== null && !Tenants::isBuiltIn($limit->tenant) && !isset($resolvers[ltrim($limit->tenant, '@')])) {
            throw new \InvalidArgumentException(Tenants::unknown($limit->tenant));
        }
        $names = array_map('strval', array_keys($policies));
        if (!$environment->isKnown(...$names)) {
            return;
        }
        $policy = $policies[$limit->policy] ?? throw UnknownPolicy::named($limit->policy, $names);
        if (!$environment->isKnown($policy)) {
            return;
        }
        $held = Policy::fromArray($limit->policy, PolicyWords::typed($policy))->limit;
        if ($limit->cost > $held) {
            throw new \InvalidArgumentException(sprintf('the cost is %d, and the policy "%s" never holds more than %d.', $limit->cost, $limit->policy, $held));
        }
    }
}
