<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel;

use RedisRateLimit\Http\Headers;

/**
 * How config/ratelimit.php has requests told apart and answered. One service rather than three: what the container looks
 * up in every request takes it longer than making the object does.
 *
 * @phpstan-import-type Config from RateLimitServiceProvider
 */
final class RequestServices
{
    public readonly Tenants $tenants;
    public readonly Headers $headers;

    private ?Refusals $refusals = null;

    /**
     * @param Config $config
     *
     * @throws \InvalidArgumentException for headers of no known mode
     */
    public function __construct(array $config)
    {
        $this->tenants = new Tenants((array) $config['tenants']);
        $mode = $config['headers'];
        try {
            $this->headers = new Headers(is_bool($mode) ? var_export($mode, true) : $mode); // of RATELIMIT_HEADERS=false env() makes a bool
        } catch (\InvalidArgumentException $e) {
            throw new \InvalidArgumentException("The headers in config/ratelimit.php (RATELIMIT_HEADERS) cannot be used: {$e->getMessage()}", 0, $e);
        }
    }

    /** Made when it is first asked for: a request that passes has no use for it. */
    public function refusals(): Refusals
    {
        return $this->refusals ??= new Refusals($this->headers);
    }
}
