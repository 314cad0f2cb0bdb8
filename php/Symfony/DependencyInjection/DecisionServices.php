<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use RedisRateLimit\ConfiguredRateLimiter;
use RedisRateLimit\Limiter;
use RedisRateLimit\NativeLimiter;
use RedisRateLimit\Policies;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Symfony\EventListener\DecisionReporter;
use RedisRateLimit\Symfony\Profiler\RateLimitCollector;
use RedisRateLimit\Symfony\Testing\SharedFake;
use RedisRateLimit\Testing\FakeLimiter;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\ContainerInterface;
use Symfony\Component\DependencyInjection\Reference;

/**
 * The limiter, the policies, and who hears of decisions.
 *
 * @phpstan-import-type Config from RedisRateLimitExtension
 */
final class DecisionServices
{
    private const CHANNEL = ['channel' => 'rate_limit'];

    /**
     * @param Config                              $config
     * @param array<string, array<string, mixed>> $policies
     */
    public static function register(ContainerBuilder $container, array $config, array $policies): void
    {
        $environment = new EnvPlaceholders($container);
        $container->register(RateLimiter::class, RateLimiter::class)
            ->setFactory([ConfiguredRateLimiter::class, 'create'])
            ->setArguments([$config['url'], $config['timeout'], $config['prefix'], self::fromEnvironment($environment, $config)]);
        $registry = $container->register(Policies::class, Policies::class);
        $environment->isKnown($policies)
            ? $registry->setArguments([array_map(PolicyWords::typed(...), $policies)])
            : $registry->setFactory([PolicyWords::class, 'registry'])->setArguments([$policies]);
        self::registerLimiter($container, $config['fake'], self::registerListeners($container));
    }

    /**
     * What is wrong in the rest, the build has found.
     *
     * @param Config $config
     *
     * @return array{url?: string, timeout?: string, prefix?: string}
     */
    private static function fromEnvironment(EnvPlaceholders $environment, array $config): array
    {
        $names = [];
        foreach (['url', 'timeout', 'prefix'] as $key) {
            $variables = $environment->variables($config[$key]);
            if ($variables !== []) {
                $names[$key] = sprintf('redis_rate_limit.%s (%s)', $key, implode(', ', $variables));
            }
        }

        return $names;
    }

    /** @return list<Reference> */
    private static function registerListeners(ContainerBuilder $container): array
    {
        $container->register(DecisionReporter::class, DecisionReporter::class)
            ->setArguments([new Reference('event_dispatcher'), self::logger()])
            ->addTag('monolog.logger', self::CHANNEL);
        if (!$container->getParameter('kernel.debug')) {
            return [new Reference(DecisionReporter::class)];
        }
        $container->register(RateLimitCollector::class, RateLimitCollector::class)
            ->addTag('kernel.reset', ['method' => 'reset'])
            ->addTag('data_collector', [
                'id' => RateLimitCollector::NAME,
                'template' => '@RedisRateLimit/Collector/rate_limit.html.twig',
                'priority' => 245,
            ]);

        return [new Reference(DecisionReporter::class), new Reference(RateLimitCollector::class)];
    }

    /** @param list<Reference> $listeners */
    private static function registerLimiter(ContainerBuilder $container, bool $fake, array $listeners): void
    {
        if ($fake) {
            $container->register(FakeLimiter::class, FakeLimiter::class)
                ->setFactory([SharedFake::class, 'limiter'])
                ->setArguments([new Reference(Policies::class)])
                ->setPublic(true);
            $container->setAlias(Limiter::class, FakeLimiter::class);

            return;
        }
        $container->register(NativeLimiter::class, NativeLimiter::class)
            ->setArguments([new Reference(RateLimiter::class), self::logger(), ...$listeners])
            ->addTag('monolog.logger', self::CHANNEL);
        $container->setAlias(Limiter::class, NativeLimiter::class);
    }

    private static function logger(): Reference
    {
        return new Reference('logger', ContainerInterface::NULL_ON_INVALID_REFERENCE);
    }
}
