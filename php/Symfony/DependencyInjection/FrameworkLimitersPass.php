<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use RedisRateLimit\Symfony\Limiter\LimiterFactory;
use Symfony\Component\Config\Definition\Exception\InvalidConfigurationException;
use Symfony\Component\DependencyInjection\Compiler\CompilerPassInterface;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\RateLimiter\RateLimiterFactory;

/**
 * Looks at what framework.rate_limiter has registered: a limiter of one of our names, and the type hints that its
 * services had before they moved here.
 */
final class FrameworkLimitersPass implements CompilerPassInterface
{
    public function process(ContainerBuilder $container): void
    {
        if (!class_exists(RateLimiterFactory::class)) {
            return;
        }
        /** @var array<string, array{array{name: string}}> $policies */
        $policies = $container->findTaggedServiceIds(PolicyServices::TAG);
        foreach ($policies as [['name' => $name]]) {
            $alias = RateLimiterFactory::class . ' $' . PolicyServices::argument("$name.limiter");
            if (!$container->hasAlias($alias)) {
                self::refuseSymfonysType($container, $name);
            } elseif ((string) $container->getAlias($alias) === "limiter.$name") {
                throw new InvalidConfigurationException(sprintf(
                    'The limiter "%1$s" is configured under framework.rate_limiter and under redis_rate_limit, and both would be the service "limiter.%1$s": take it out of one of them, or rename it.',
                    $name,
                ));
            }
        }
    }

    /** Ours cannot be of that class, which is final: building the container fails where it is asked for, and only there. */
    private static function refuseSymfonysType(ContainerBuilder $container, string $name): void
    {
        $id = ".limiter.$name of another type";
        $container->register($id, RateLimiterFactory::class)->addError(sprintf(
            'The limiter "%s" is configured under redis_rate_limit and no %s: type-hint %s instead.',
            $name,
            RateLimiterFactory::class,
            LimiterFactory::class,
        ));
        $container->registerAliasForArgument($id, RateLimiterFactory::class, "$name.limiter");
    }
}
