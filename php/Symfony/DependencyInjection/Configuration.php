<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use Symfony\Component\Config\Definition\Builder\ArrayNodeDefinition;
use Symfony\Component\Config\Definition\Builder\NodeBuilder;
use Symfony\Component\Config\Definition\Builder\TreeBuilder;
use Symfony\Component\Config\Definition\ConfigurationInterface;
use Symfony\Component\Config\Definition\Exception\InvalidConfigurationException;

/**
 * The keys of `redis_rate_limit`. Values are scalars of any type here, so that each can be an env placeholder;
 * ConfigurationCheck looks at what is known when the container is built.
 */
final class Configuration implements ConfigurationInterface
{
    public function getConfigTreeBuilder(): TreeBuilder
    {
        $tree = new TreeBuilder('redis_rate_limit');
        /** @var ArrayNodeDefinition $root */
        $root = $tree->getRootNode();
        $root->beforeNormalization()->ifArray()->then(self::gatherPolicies(...));
        $children = $root->children();
        $children->booleanNode('enabled')->defaultTrue()->info('false: no limits and no services, as if the bundle were not there');
        $children->scalarNode('url')->defaultNull()->info('redis://, rediss://, unix://, redis-cluster:// or redis-sentinel://; null: the ini setting ratelimit.url');
        $children->scalarNode('timeout')->defaultNull()->info('Seconds that one decision may take, connecting included; null: the ini setting ratelimit.timeout_ms');
        $children->scalarNode('prefix')->defaultNull()->info('First part of every key; null: the ini setting ratelimit.prefix');
        $children->scalarNode('on_failure')->defaultNull()->info('"open" or "closed", for policies that name none; null: the ini setting ratelimit.on_failure');
        $children->scalarNode('headers')->defaultValue('legacy')->info('"legacy" (X-RateLimit-*), "standard" (RateLimit, RateLimit-Policy), "both" or "none"');
        $children->scalarNode('default')->defaultNull()->info('Policy of every route that `routes` does not name');
        $children->booleanNode('fake')->defaultFalse()->info('Decide without Redis, as functional tests say (Testing\FakesRateLimits)');
        self::addTenant($children->arrayNode('tenant'));
        self::addRoutes($children->arrayNode('routes'));
        self::addPolicies($children->arrayNode('policies'));

        return $tree;
    }

    private static function addTenant(ArrayNodeDefinition $tenant): void
    {
        $tenant->info('Whose budget is charged, tried in order: attribute, attribute:NAME, user, api_key, api_key:HEADER, ip, or the id of a service that implements TenantResolver')
            ->defaultValue(['attribute', 'user', 'ip'])
            ->requiresAtLeastOneElement()
            ->performNoDeepMerging()
            ->scalarPrototype();
        $tenant->beforeNormalization()->castToArray();
    }

    private static function addRoutes(ArrayNodeDefinition $routes): void
    {
        $routes->validate()
            ->ifTrue(static fn (array $routes): bool => $routes !== [] && array_is_list($routes))
            ->thenInvalid('Each policy needs the route name or pattern that it is for, as "api_*: api".');
        $names = $routes->info('Route name, pattern of names (api_*) or of paths (/api/*) to a policy, a list of policies, or ~ for none')
            ->useAttributeAsKey('route')
            ->normalizeKeys(false)
            ->arrayPrototype();
        $names->beforeNormalization()->always(static fn (mixed $policies): array => (array) $policies);
        $names->performNoDeepMerging()->scalarPrototype();
    }

    private static function addPolicies(ArrayNodeDefinition $policies): void
    {
        $policy = $policies->info('In the words of framework.rate_limiter')
            ->useAttributeAsKey('name')
            ->normalizeKeys(false)
            ->arrayPrototype()
            ->children();
        self::addNumbers($policy);
        foreach (['audit', 'aligned', 'shadow', 'shared'] as $flag) {
            $policy->scalarNode($flag);
        }
        $policy->scalarNode('on_failure')->info('"open" or "closed"');
        $policy->variableNode('limiters')->info('Members of a compound: names of other policies, or policies by name');
        foreach (PolicyWords::OF_FRAMEWORK_ONLY as $word) {
            $policy->scalarNode($word)->info('Ignored, since there is no lock and no cache: allowed for those who come from framework.rate_limiter');
        }
    }

    private static function addNumbers(NodeBuilder $policy): void
    {
        $policy->scalarNode('policy')->isRequired()->info('token_bucket, sliding_log, sliding_window, fixed_window, leaky_bucket, compound or no_limit');
        $policy->scalarNode('limit');
        $policy->scalarNode('interval')->info('"250 ms", "30 seconds", "15 minutes", "1 day", or a number of seconds');
        $rate = $policy->arrayNode('rate')->children();
        $rate->scalarNode('amount');
        $rate->scalarNode('interval');
    }

    /**
     * As in framework.rate_limiter, policies may stand under `limiters` or directly under the root.
     *
     * @param array<mixed> $config
     *
     * @return array<mixed>
     */
    private static function gatherPolicies(array $config): array
    {
        $policies = $config['policies'] ?? [];
        $limiters = $config['limiters'] ?? [];
        if (!is_array($policies) || !is_array($limiters)) {
            return $config; // the tree says what is wrong with it
        }
        foreach (['policies' => $policies, 'limiters' => $limiters] as $key => $named) {
            if (is_string($named['policy'] ?? null)) {
                throw new InvalidConfigurationException("A limiter named \"$key\" cannot stand directly under redis_rate_limit, where limiters are listed under that key: write \"policies: { $key: … }\".");
            }
        }
        $policies += $limiters;
        unset($config['policies'], $config['limiters']);
        foreach ($config as $key => $value) {
            if ($key !== 'routes' && is_array($value) && isset($value['policy'])) {
                $policies[$key] = $value;
                unset($config[$key]);
            }
        }

        return ['policies' => $policies] + $config;
    }
}
