<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Attribute;

/**
 * Counts the requests of a controller class, of one of its methods, or of an invokable controller:
 *
 *     #[RateLimited('api')]
 *     #[RateLimited('export', cost: 5, scope: 'project-{project}', methods: ['POST'])]
 *
 * A policy counts once per request: a method's attribute goes before its class's, and that before the configured routes.
 */
#[\Attribute(\Attribute::TARGET_CLASS | \Attribute::TARGET_METHOD | \Attribute::TARGET_FUNCTION | \Attribute::IS_REPEATABLE)]
final class RateLimited
{
    /** @var list<string> in upper case; empty: all but OPTIONS */
    public readonly array $methods;

    /**
     * @param string          $policy  name of a configured policy
     * @param ?string         $tenant  attribute, attribute:NAME, user, api_key, api_key:HEADER, ip or a TenantResolver's
     *                                 service id; null: the configured chain
     * @param int             $cost    at least 1
     * @param string[]|string $methods HTTP methods that count; GET includes HEAD; none: all but OPTIONS
     * @param string          $scope   part of the tenant's budget; {method}, {route}, {path} and the names of request
     *                                 attributes in braces are filled in
     *
     * @throws \InvalidArgumentException for a cost below 1
     */
    public function __construct(
        public readonly string $policy,
        public readonly ?string $tenant = null,
        public readonly int $cost = 1,
        array|string $methods = [],
        public readonly string $scope = 'global',
    ) {
        if ($cost < 1) {
            throw new \InvalidArgumentException(sprintf('The cost of #[RateLimited("%s")] must be at least 1, not %d.', $policy, $cost));
        }
        $this->methods = array_map('strtoupper', array_values((array) $methods));
    }

    /** Whether $methods names this one. */
    public function counts(string $method): bool
    {
        return in_array($method, $this->methods, true)
            || ($method === 'HEAD' && in_array('GET', $this->methods, true));
    }
}
