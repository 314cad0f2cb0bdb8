<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use RedisRateLimit\Http\Headers;
use RedisRateLimit\Limiter;
use RedisRateLimit\Policies;
use RedisRateLimit\Symfony\Enforcement\ControllerLimits;
use RedisRateLimit\Symfony\Enforcement\Gate;
use RedisRateLimit\Symfony\Enforcement\RouteLimits;
use RedisRateLimit\Symfony\EventListener\RateLimitSubscriber;
use RedisRateLimit\Symfony\Tenant\Tenants;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\ContainerInterface;
use Symfony\Component\DependencyInjection\Reference;

/**
 * What limits HTTP requests.
 *
 * @phpstan-import-type Config from RedisRateLimitExtension
 */
final class RequestServices
{
    /** @param Config $config */
    public static function register(ContainerBuilder $container, array $config): void
    {
        $container->register(Tenants::class, Tenants::class)->setArguments([
            $config['tenant'],
            null, // TenantResolversPass
            new Reference('security.token_storage', ContainerInterface::NULL_ON_INVALID_REFERENCE),
        ]);
        $container->register(RouteLimits::class, RouteLimits::class)->setArguments([$config['routes'], $config['default']]);
        $container->register(ControllerLimits::class, ControllerLimits::class)->setArguments([[]]); // ControllerClassesPass
        $container->register(Headers::class, Headers::class)->setArguments([$config['headers']]);
        $container->register(Gate::class, Gate::class)->setArguments([
            new Reference(Limiter::class),
            new Reference(Policies::class),
            new Reference(Tenants::class),
            new Reference(RouteLimits::class),
            new Reference(ControllerLimits::class),
        ]);
        $container->register(RateLimitSubscriber::class, RateLimitSubscriber::class)
            ->setArguments([new Reference(Gate::class), new Reference(Headers::class), new Reference('event_dispatcher')])
            ->addTag('kernel.event_subscriber');
    }
}
