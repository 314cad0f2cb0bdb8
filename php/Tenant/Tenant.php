<?php

declare(strict_types=1);

namespace RedisRateLimit\Tenant;

/**
 * Names a tenant by what is known of a caller. Each kind has its own prefix, so that user 42, the API key "42" and
 * a guest can never share a budget.
 */
final class Tenant
{
    /** @throws \InvalidArgumentException for an empty id */
    public static function user(string|int $id): string
    {
        return $id === '' ? throw self::nobody('user id') : 'user:' . $id;
    }

    /**
     * A tenant that the application names, or the client in a URL.
     *
     * @throws \InvalidArgumentException for an empty name
     */
    public static function named(string|int $id): string
    {
        return $id === '' ? throw self::nobody('name') : 'tenant:' . $id;
    }

    /**
     * An API key or token: only its hash reaches Redis, logs and profilers.
     *
     * @throws \InvalidArgumentException for an empty one
     */
    public static function secret(#[\SensitiveParameter] string $secret): string
    {
        return $secret === '' ? throw self::nobody('secret') : 'key:' . Secret::hash($secret);
    }

    /** @param ?string $ip as REMOTE_ADDR gives it */
    public static function ip(?string $ip): string
    {
        return 'ip:' . ClientIp::network($ip);
    }

    /** The first that is known (neither null nor empty) of user, secret and address: guests and users never share a budget. */
    public static function firstOf(string|int|null $user, #[\SensitiveParameter] ?string $secret, ?string $ip): string
    {
        return match (true) {
            $user !== null && $user !== '' => self::user($user),
            $secret !== null && $secret !== '' => self::secret($secret),
            default => self::ip($ip),
        };
    }

    private static function nobody(string $what): \InvalidArgumentException
    {
        return new \InvalidArgumentException(
            "The $what of a rate limit's tenant is empty, and all who have none would share one budget:"
            . ' pass the caller\'s own, or use Tenant::firstOf(), which goes on to what else is known.',
        );
    }
}
