<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use RedisRateLimit\Limiter;
use RedisRateLimit\Policies;
use RedisRateLimit\Policy;
use RedisRateLimit\Symfony\Limiter\LimiterFactory;
use RedisRateLimit\Symfony\Limiter\LoginRateLimiter;
use RedisRateLimit\Symfony\Limiter\RedisLimiterFactory;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\ContainerInterface;
use Symfony\Component\DependencyInjection\Reference;
use Symfony\Component\HttpFoundation\RateLimiter\AbstractRequestRateLimiter;
use Symfony\Component\RateLimiter\LimiterInterface;
use Symfony\Component\RateLimiter\RateLimiterFactoryInterface;

/**
 * Of each policy: `redis_rate_limit.policy.NAME`, autowired as `Policy $namePolicy`; where symfony/rate-limiter is
 * installed also `limiter.NAME`, as framework.rate_limiter calls it and Messenger and HttpClient look for it, autowired
 * as `LimiterFactory $nameLimiter`, and `redis_rate_limit.login.NAME` for login_throttling.
 */
final class PolicyServices
{
    public const TAG = 'redis_rate_limit.policy';

    /** @param list<string> $names */
    public static function register(ContainerBuilder $container, array $names): void
    {
        $alike = [];
        foreach ($names as $name) {
            $alike[self::argument($name)][] = $name;
            $id = "redis_rate_limit.policy.$name";
            $container->register($id, Policy::class)
                ->setFactory([new Reference(Policies::class), 'get'])
                ->setArguments([$name])
                ->addTag(self::TAG, ['name' => $name]);
            $container->registerAliasForArgument($id, Policy::class, "$name.policy");
            if (interface_exists(LimiterInterface::class)) {
                self::registerFactory($container, $name, new Reference($id));
            }
        }
        foreach ($alike as $argument => $rivals) {
            if (count($rivals) > 1) {
                self::refuseToGuess($container, $argument, $rivals);
            }
        }
    }

    /** As Symfony's Target makes an argument's name of the parts of another name, which it does not always tell apart. */
    public static function argument(string $name): string
    {
        return lcfirst(str_replace(' ', '', ucwords((string) preg_replace('/[^a-zA-Z0-9\x7f-\xff]++/', ' ', $name))));
    }

    /**
     * Building the container fails where such an argument is used, and only there.
     *
     * @param list<string> $names
     */
    private static function refuseToGuess(ContainerBuilder $container, string $argument, array $names): void
    {
        foreach ([Policy::class => 'Policy', LimiterFactory::class => 'Limiter', RateLimiterFactoryInterface::class => 'Limiter'] as $type => $what) {
            $alias = "$type \$$argument$what";
            if ($container->hasAlias($alias)) {
                $container->register(".$alias ambiguous", $type)->addError(sprintf(
                    'The argument "$%s" can mean each of the rate limit policies "%s": rename all but one, or name the service, such as "%s".',
                    $argument . $what,
                    implode('", "', $names),
                    (string) $container->getAlias($alias),
                ));
                $container->setAlias($alias, ".$alias ambiguous");
            }
        }
    }

    private static function registerFactory(ContainerBuilder $container, string $name, Reference $policy): void
    {
        $id = "limiter.$name";
        $container->register($id, RedisLimiterFactory::class)
            ->setArguments([new Reference(Limiter::class), $policy])
            ->addTag('rate_limiter', ['name' => $name]); // as framework.rate_limiter tags its own
        foreach ([LimiterFactory::class, RateLimiterFactoryInterface::class] as $type) {
            if (interface_exists($type)) {
                $container->registerAliasForArgument($id, $type, "$name.limiter");
            }
        }
        if (class_exists(AbstractRequestRateLimiter::class)) {
            $logger = new Reference('logger', ContainerInterface::NULL_ON_INVALID_REFERENCE);
            $container->register("redis_rate_limit.login.$name", LoginRateLimiter::class)
                ->setArguments([null, new Reference($id), null, $logger])
                ->addTag('monolog.logger', ['channel' => 'rate_limit']);
        }
    }
}
