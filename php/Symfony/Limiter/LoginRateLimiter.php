<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Limiter;

use Psr\Log\LoggerInterface;
use RedisRateLimit\StoreUnavailable;
use RedisRateLimit\Tenant\ClientIp;
use RedisRateLimit\Tenant\Secret;
use Symfony\Component\HttpFoundation\RateLimiter\AbstractRequestRateLimiter;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\RateLimiter\LimiterInterface;

/**
 * Takes the place of Symfony's DefaultLoginRateLimiter, with its arguments: counts all attempts from one address, and
 * those of one user name from it. `redis_rate_limit.login.NAME` is one for the second alone.
 */
final class LoginRateLimiter extends AbstractRequestRateLimiter
{
    /** Symfony moved the constant of this name between classes; the value is the same in all versions. */
    private const LAST_USERNAME = '_security.last_username';

    /**
     * @param ?LimiterFactory $globalFactory per address, over all user names; null: no such limit
     * @param LimiterFactory  $localFactory  per user name and address
     * @param ?string         $secret        Symfony's has one: ignored, since names are hashed without it
     */
    public function __construct(
        private ?LimiterFactory $globalFactory,
        private LimiterFactory $localFactory,
        #[\SensitiveParameter] ?string $secret = null,
        private ?LoggerInterface $logger = null,
    ) {
    }

    /**
     * Called after a login has succeeded, which must not fail because Redis is away. The address's budget stays as it
     * is: otherwise who has an account could try any number of other names between logins of their own.
     */
    public function reset(Request $request): void
    {
        try {
            $this->ofNameAndAddress($request)->reset();
        } catch (StoreUnavailable $e) {
            // No warning: that of an outage comes from the attempt before it.
            $this->logger?->notice('Failed login attempts could not be forgotten: {message}', ['message' => $e->getMessage()]);
        }
    }

    protected function getLimiters(Request $request): array
    {
        $local = $this->ofNameAndAddress($request);

        return $this->globalFactory === null ? [$local] : [$this->globalFactory->create('login:' . self::address($request)), $local];
    }

    private function ofNameAndAddress(Request $request): LimiterInterface
    {
        $username = (string) $request->attributes->get(self::LAST_USERNAME, '');
        $username = mb_check_encoding($username, 'UTF-8') ? mb_strtolower($username, 'UTF-8') : strtolower($username);

        // Hashed, because people type passwords into the wrong field.
        return $this->localFactory->create('login:' . Secret::hash($username) . ':' . self::address($request));
    }

    private static function address(Request $request): string
    {
        return ClientIp::network($request->getClientIp());
    }
}
