<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel;

/** PHP's stream options for TLS, as phpredis and Predis take them, in the words of the extension's URL. */
final class TlsOptions
{
    private const WORDS = ['cafile' => 'ca', 'local_cert' => 'cert', 'local_pk' => 'key', 'peer_name' => 'server_name'];

    /**
     * @param array<string, mixed> $server
     *
     * @return string the query of a URL, with its question mark, or nothing
     *
     * @throws \InvalidArgumentException where a certificate is not to be checked
     */
    public static function query(array $server): string
    {
        /** @var array<string, mixed> $options */
        $options = $server['context']['stream'] ?? $server['context']['ssl'] ?? $server['ssl'] ?? [];
        if (($options['verify_peer'] ?? true) === false || ($options['verify_peer_name'] ?? true) === false) {
            throw new \InvalidArgumentException(
                'verify_peer and verify_peer_name cannot be false for rate limits: '
                . 'give the authority as cafile and the name in the certificate as peer_name.',
            );
        }
        if (isset($options['local_cert'])) {
            $options += ['local_pk' => $options['local_cert']];
        }
        $query = [];
        foreach (array_intersect_key(self::WORDS, $options) as $option => $word) {
            $query[$word] = $options[$option];
        }

        return $query === [] ? '' : '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986);
    }
}
