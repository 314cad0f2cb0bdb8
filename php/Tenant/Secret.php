<?php

declare(strict_types=1);

namespace RedisRateLimit\Tenant;

/** Makes a name of a secret that does not give the secret away. */
final class Secret
{
    /** @return string 32 hexadecimal digits: 128 bits of a SHA-256, the same for the same secret everywhere */
    public static function hash(#[\SensitiveParameter] string $secret): string
    {
        return substr(hash('sha256', $secret), 0, 32);
    }
}
