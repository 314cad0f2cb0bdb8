<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use RedisRateLimit\ConfiguredRateLimiter;
use RedisRateLimit\Http\Headers;
use RedisRateLimit\UnknownPolicy;
use Symfony\Component\Config\Definition\Exception\InvalidConfigurationException;
use Symfony\Component\DependencyInjection\ContainerBuilder;

/**
 * Checks each value by itself, so that one from the environment hides no mistake beside it.
 *
 * @phpstan-import-type Config from RedisRateLimitExtension
 */
final class ConfigurationCheck
{
    private const ANY_URL = 'redis://localhost';

    private ValueCheck $value;

    public function __construct(private ContainerBuilder $container)
    {
        $this->value = new ValueCheck($container);
    }

    /**
     * What must be right before PolicyWords can resolve the policies.
     *
     * @param array<string, array<string, mixed>> $policies as configured
     *
     * @throws InvalidConfigurationException
     */
    public function checkMembers(array $policies): void
    {
        foreach ($policies as $name => $policy) {
            foreach ((array) ($policy['limiters'] ?? []) as $member) {
                if (!is_array($member)) {
                    $this->value->refuseEnvironment("policies.$name.limiters", $member, 'members are looked up when the container is built: write the names of policies');
                }
            }
        }
    }

    /**
     * @param Config                              $config
     * @param array<string, array<string, mixed>> $policies as PolicyWords resolves them
     *
     * @throws InvalidConfigurationException
     */
    public function check(array $config, array $policies): void
    {
        foreach (['enabled', 'fake'] as $switch) {
            $this->value->refuseEnvironment($switch, $config[$switch], 'it decides which services there are: write true or false');
        }
        $this->value->try('url', [$config['url']], static fn (mixed $url) => ConfiguredRateLimiter::create(self::textOrNull($url), null, null));
        $this->value->try('timeout', [$config['timeout']], static fn (mixed $timeout) => ConfiguredRateLimiter::create(self::ANY_URL, $timeout, null));
        $this->value->try('prefix', [$config['prefix']], static fn (mixed $prefix) => ConfiguredRateLimiter::create(self::ANY_URL, null, self::textOrNull($prefix)));
        $this->value->try('headers', [$config['headers']], static fn (mixed $mode): Headers => new Headers(self::text($mode)));
        $this->value->try('on_failure', [$config['on_failure']], self::checkFailureRule(...));
        $environment = new EnvPlaceholders($this->container);
        foreach ($policies as $name => $policy) {
            $this->value->try("policies.$name", [$environment->replaced($policy)], static fn (array $policy) => PolicyCheck::of((string) $name, $policy));
        }
        $known = array_map('strval', array_keys($policies));
        $this->checkNames('default', (array) $config['default'], $known);
        foreach ($config['routes'] as $route => $names) {
            $this->checkNames("routes.$route", $names, $known);
        }
    }

    /**
     * @param array<scalar|null> $names
     * @param list<string>       $known
     */
    private function checkNames(string $path, array $names, array $known): void
    {
        foreach ($names as $name) {
            $this->value->try($path, [$name, $known], self::checkName(...));
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
        if (!in_array(self::text($name), $known, true)) {
            throw UnknownPolicy::named(self::text($name), $known);
        }
    }

    /** What is no text in YAML, as ~ or 5, as it stands there. */
    private static function text(mixed $value): string
    {
        return is_string($value) ? $value : json_encode($value, \JSON_THROW_ON_ERROR);
    }

    private static function textOrNull(mixed $value): ?string
    {
        return $value === null ? null : self::text($value);
    }
}
