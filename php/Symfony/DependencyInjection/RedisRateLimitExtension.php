<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use RedisRateLimit\Symfony\Tenant\TenantResolver;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Extension\Extension;

/**
 * Turns the configuration `redis_rate_limit` into services.
 *
 * @phpstan-type Config array{
 *     url: scalar|null, timeout: scalar|null, prefix: scalar|null, on_failure: scalar|null, headers: scalar|null,
 *     default: scalar|null, enabled: bool, fake: bool, tenant: list<scalar|null>, routes: array<string, list<scalar|null>>,
 *     policies: array<string, array<string, mixed>>
 * }
 */
final class RedisRateLimitExtension extends Extension
{
    /** @param array<mixed> $configs */
    public function load(array $configs, ContainerBuilder $container): void
    {
        /** @var Config $config */
        $config = $this->processConfiguration(new Configuration(), $configs);
        $check = new ConfigurationCheck($container);
        $check->checkMembers($config['policies']);
        try {
            $policies = PolicyWords::resolve($config['policies'], $config['on_failure']);
        } catch (\InvalidArgumentException $e) {
            throw ValueCheck::invalid('policies', $e->getMessage(), $e);
        }
        $check->check($config, $policies);
        if (!$config['enabled']) {
            return;
        }

        DecisionServices::register($container, $config, $policies);
        RequestServices::register($container, $config);
        PolicyServices::register($container, array_map('strval', array_keys($policies)));
        CommandServices::register($container);
        $container->registerForAutoconfiguration(TenantResolver::class)->addTag(TenantResolversPass::TAG);
    }

    /** @param array<mixed> $config */
    public function getConfiguration(array $config, ContainerBuilder $container): Configuration
    {
        return new Configuration();
    }
}
