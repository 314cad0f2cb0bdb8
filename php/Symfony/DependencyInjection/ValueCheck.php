<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use Symfony\Component\Config\Definition\Exception\InvalidConfigurationException;
use Symfony\Component\DependencyInjection\ContainerBuilder;

/** Lets a class that will use a value judge it when the container is built, and names the value's path if it is wrong. */
final class ValueCheck
{
    private EnvPlaceholders $environment;

    public function __construct(private ContainerBuilder $container)
    {
        $this->environment = new EnvPlaceholders($container);
    }

    /**
     * Tries to use the values. What comes from the environment is known only at run time: the same use judges it then.
     *
     * @param string       $path   below redis_rate_limit
     * @param array<mixed> $values as the configuration has them
     *
     * @throws InvalidConfigurationException
     */
    public function try(string $path, array $values, \Closure $use): void
    {
        if (!$this->environment->isKnown(...$values)) {
            return;
        }
        /** @var array<mixed> $unescaped */
        $unescaped = $this->container->getParameterBag()->unescapeValue($values);
        try {
            $use(...$unescaped);
        } catch (\InvalidArgumentException $e) {
            throw self::invalid($path, $e->getMessage(), $e);
        }
    }

    /**
     * For a value that must be known when the container is built.
     *
     * @param string $reason and what to write instead
     *
     * @throws InvalidConfigurationException
     */
    public function refuseEnvironment(string $path, mixed $value, string $reason): void
    {
        if (!$this->environment->isKnown($value)) {
            throw self::invalid($path, "this cannot come from the environment, for $reason.");
        }
    }

    /** @param string $path below redis_rate_limit */
    public static function invalid(string $path, string $message, ?\Throwable $cause = null): InvalidConfigurationException
    {
        return new InvalidConfigurationException(sprintf('Invalid configuration for path "redis_rate_limit.%s": %s', $path, $message), 0, $cause);
    }
}
