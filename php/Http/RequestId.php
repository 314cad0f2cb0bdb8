<?php

declare(strict_types=1);

namespace RedisRateLimit\Http;

/** What a policy with an audit log keeps of a request: the id that a client or a proxy has given it. */
final class RequestId
{
    public const HEADER = 'X-Request-Id';

    private const LONGEST = 128;

    /** @param ?string $header as it was sent; clients may send anything */
    public static function of(?string $header): ?string
    {
        return $header === null || $header === '' ? null : substr($header, 0, self::LONGEST);
    }
}
