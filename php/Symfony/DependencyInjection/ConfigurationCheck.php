<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use RedisRateLimit\ConfiguredRateLimiter;
use RedisRateLimit\Http\Headers;
use RedisRateLimit\Policy;
use RedisRateLimit\UnknownPolicy;
use Symfony\Component\Config\Definition\Exception\InvalidConfigurationException;
use Symfony\Component\DependencyInjection\ContainerBuilder;

/**
 * Lets the classes that will use a value judge it when the container is built. What holds an env placeholder is known
 * only at run time: the same classes judge it then.
 *
 * @phpstan-import-type Config from RedisRateLimitExtension
 */
final class ConfigurationCheck
{
    public function __construct(private ContainerBuilder $container)
    {
    }

    /**
     * @param Config                              $config
     * @param array<string, array<string, mixed>> $policies as PolicyWords resolves them
     *
     * @throws InvalidConfigurationException
     */
    public function check(array $config, array $policies): void
    {
        if (!$this->isKnown($config['fake'])) {
            throw new InvalidConfigurationException('Invalid configuration for path "redis_rate_limit.fake": it decides which services there are, so it cannot come from the environment: write true or false.');
        }
        $this->try('', [$config['url'], $config['timeout'], $config['prefix']], self::checkConnection(...));
        $this->try('.headers', [$config['headers']], static fn (mixed $mode): Headers => new Headers(self::text($mode)));
        $this->try('.on_failure', [$config['on_failure']], self::checkFailureRule(...));
        foreach ($policies as $name => $policy) {
            $this->try(".policies.$name", [$policy], static fn (array $policy) => self::checkPolicy((string) $name, $policy));
        }
        $known = array_map('strval', array_keys($policies));
        foreach (['.default' => (array) $config['default']] + self::paths($config['routes']) as $path => $names) {
            foreach ($names as $name) {
                $this->try($path, [$name, $known], self::checkName(...));
            }
        }
    }

    /** Whether no value holds an env placeholder. */
    public function isKnown(mixed ...$values): bool
    {
        $environment = [];
        $this->container->resolveEnvPlaceholders($values, null, $environment);

        return $environment === [];
    }

    /** @param array<mixed> $values */
    private function try(string $path, array $values, \Closure $use): void
    {
        if (!$this->isKnown(...$values)) {
            return;
        }
        /** @var array<mixed> $unescaped */
        $unescaped = $this->container->getParameterBag()->unescapeValue($values);
        try {
            $use(...$unescaped);
        } catch (\InvalidArgumentException $e) {
            throw new InvalidConfigurationException(sprintf('Invalid configuration for path "redis_rate_limit%s": %s', $path, $e->getMessage()), 0, $e);
        }
    }

    private static function checkConnection(mixed $url, mixed $timeout, mixed $prefix): void
    {
        ConfiguredRateLimiter::create($url === null ? null : self::text($url), $timeout, $prefix === null ? null : self::text($prefix));
    }

    /** @param array<string, mixed> $policy */
    private static function checkPolicy(string $name, array $policy): void
    {
        Policy::fromArray($name, PolicyWords::typed($policy));
        if (preg_match('/^[._-]*[a-z]/i', $name) !== 1) {
            throw new \InvalidArgumentException(sprintf('the name "%s" must begin with a letter: services get the policy by an argument of that name.', $name));
        }
    }

    private static function checkFailureRule(mixed $rule): void
    {
        if (!in_array($rule, [null, 'open', 'closed'], true)) {
            throw new \InvalidArgumentException(sprintf('"%s" is not a failure rule: allowed are "open" and "closed".', self::text($rule)));
        }
    }

    /** @param list<string> $known */
    private static function checkName(mixed $name, array $known): void
    {
        $name = self::text($name);
        if (!in_array($name, $known, true)) {
            throw UnknownPolicy::named($name, $known);
        }
    }

    /** What is no text in YAML, as ~ or 5, as it stands there. */
    private static function text(mixed $value): string
    {
        return is_string($value) ? $value : json_encode($value, \JSON_THROW_ON_ERROR);
    }

    /**
     * @param array<string, list<scalar|null>> $routes
     *
     * @return array<string, list<scalar|null>>
     */
    private static function paths(array $routes): array
    {
        return array_combine(array_map(static fn (int|string $route): string => ".routes.$route", array_keys($routes)), $routes);
    }
}
