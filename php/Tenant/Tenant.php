<?php

declare(strict_types=1);

namespace RedisRateLimit\Tenant;

/**
 * Names a tenant by what is known of a caller. Each kind has its own prefix, so that user 42, the API key "42" and
 * a guest can never share a budget.
 */
final class Tenant
{
    public static function user(string|int $id): string
    {
        return 'user:' . $id;
    }

    /** A tenant that the application names, or the client in a URL. */
    public static function named(string|int $id): string
    {
        return 'tenant:' . $id;
    }

    /** An API key or token: only its hash reaches Redis, logs and profilers. */
    public static function secret(#[\SensitiveParameter] string $secret): string
    {
        return 'key:' . Secret::hash($secret);
    }

    /** @param ?string $ip as REMOTE_ADDR gives it */
    public static function ip(?string $ip): string
    {
        return 'ip:' . ClientIp::network($ip);
    }

    /** The first that is known of user, secret and address, in this order: guests and users never share a budget. */
    public static function firstOf(string|int|null $user, #[\SensitiveParameter] ?string $secret, ?string $ip): string
    {
        return match (true) {
            $user !== null && $user !== '' => self::user($user),
            $secret !== null && $secret !== '' => self::secret($secret),
            default => self::ip($ip),
        };
    }
}
