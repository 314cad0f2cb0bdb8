<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Limiter;

use Psr\Log\LoggerInterface;
use RedisRateLimit\StoreUnavailable;
use RedisRateLimit\Tenant\ClientIp;
use RedisRateLimit\Tenant\Secret;
use Symfony\Component\HttpFoundation\RateLimiter\AbstractRequestRateLimiter;
use Symfony\Component\HttpFoundation\Request;

/**
 * For `login_throttling: { limiter: redis_rate_limit.login.NAME }`: counts the attempts of one user name from one
 * address and, with a second policy, all attempts from that address.
 */
final class LoginRateLimiter extends AbstractRequestRateLimiter
{
    /** Symfony moved the constant of this name between classes; the value is the same in all versions. */
    private const LAST_USERNAME = '_security.last_username';

    public function __construct(
        private LimiterFactory $perUser,
        private ?LimiterFactory $perAddress = null,
        private ?LoggerInterface $logger = null,
    ) {
    }

    /** Called after a login has succeeded, which must not fail because Redis is away. */
    public function reset(Request $request): void
    {
        try {
            parent::reset($request);
        } catch (StoreUnavailable $e) {
            // No warning: that of an outage comes from the attempt before it.
            $this->logger?->notice('Failed login attempts could not be forgotten: {message}', ['message' => $e->getMessage()]);
        }
    }

    protected function getLimiters(Request $request): array
    {
        $address = ClientIp::network($request->getClientIp());
        $username = (string) $request->attributes->get(self::LAST_USERNAME, '');
        $username = mb_check_encoding($username, 'UTF-8') ? mb_strtolower($username, 'UTF-8') : strtolower($username);
        // Hashed, because people type passwords into the wrong field.
        $limiters = [$this->perUser->create('login:' . Secret::hash($username) . ':' . $address)];

        return $this->perAddress === null ? $limiters : [...$limiters, $this->perAddress->create('login:' . $address)];
    }
}
