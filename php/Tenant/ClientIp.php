<?php

declare(strict_types=1);

namespace RedisRateLimit\Tenant;

/** The network that an address stands for: whoever holds one IPv6 address usually holds its whole /64. */
final class ClientIp
{
    /** What every unusable address becomes: such callers share one budget rather than escape all. */
    public const UNKNOWN = 'unknown';

    private const MAPPED_IPV4 = "\0\0\0\0\0\0\0\0\0\0\xff\xff";

    /** @return string "192.0.2.7", "2001:db8:1:2::/64" or self::UNKNOWN; an IPv4-mapped IPv6 address is the IPv4 one */
    public static function network(?string $ip): string
    {
        $address = trim((string) $ip);
        if (filter_var($address, \FILTER_VALIDATE_IP, \FILTER_FLAG_IPV4) !== false) {
            return $address;
        }
        $address = explode('%', $address, 2)[0]; // fe80::1%eth0
        $bytes = filter_var($address, \FILTER_VALIDATE_IP) === false ? false : inet_pton($address);
        if ($bytes === false) {
            return self::UNKNOWN;
        }
        if (strlen($bytes) === 4) {
            return $address;
        }
        if (str_starts_with($bytes, self::MAPPED_IPV4)) {
            return (string) inet_ntop(substr($bytes, 12));
        }

        return (string) inet_ntop(substr($bytes, 0, 8) . str_repeat("\0", 8)) . '/64';
    }
}
