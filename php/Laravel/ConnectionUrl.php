<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel;

use Illuminate\Support\ConfigurationUrlParser;

/** Reads a connection of config/database.php's redis section the way Laravel does, and writes it as a URL. */
final class ConnectionUrl
{
    /**
     * @param array<string, mixed> $redis the redis section
     *
     * @throws \InvalidArgumentException for a connection that is not there, or that cannot be written as a URL
     */
    public static function of(array $redis, string $name): string
    {
        $nodes = $redis['clusters'][$name] ?? null;
        if ($nodes === null && !isset($redis[$name])) {
            $known = array_diff([...array_keys($redis), ...array_keys($redis['clusters'] ?? [])], ['client', 'options', 'clusters']);
            $message = 'config/ratelimit.php names the Redis connection "%s", but config/database.php has only "%s" under redis.';

            throw new \InvalidArgumentException(sprintf($message, $name, implode('", "', $known)));
        }
        try {
            return $nodes === null ? self::server($redis[$name]) : self::cluster($nodes);
        } catch (\InvalidArgumentException $e) {
            throw new \InvalidArgumentException("The Redis connection \"$name\" in config/database.php cannot be used: {$e->getMessage()}", 0, $e);
        }
    }

    /** @param array<string, mixed> $redis the redis section */
    public static function prefix(array $redis, string $name): string
    {
        return $redis[$name]['prefix'] ?? $redis[$name]['options']['prefix'] ?? $redis['options']['prefix'] ?? '';
    }

    /** @param array<string, mixed>|string $connection */
    private static function server(array|string $connection): string
    {
        $url = is_string($connection) ? $connection : (string) ($connection['url'] ?? '');
        if (preg_match('~^(unix|redis-[a-z]+)://~', $url) === 1) {
            return $url;
        }
        $server = (new ConfigurationUrlParser())->parseConfiguration($connection);
        if (isset($server['path'])) {
            return self::socket($server['path'], $server);
        }
        [$host, $tls] = self::host($server);
        if (str_starts_with($host, '/')) {
            return self::socket($host, $server);
        }

        return sprintf(
            '%s://%s%s/%d%s',
            $tls ? 'rediss' : 'redis',
            self::credentials($server),
            self::address($host, $server['port'] ?? 6379),
            $server['database'] ?? 0,
            $tls ? TlsOptions::query($server) : '',
        );
    }

    /** @param array<string, mixed> $server */
    private static function socket(string $path, array $server): string
    {
        $query = array_filter([
            'db' => $server['database'] ?? null,
            'user' => $server['username'] ?? null,
            'pass' => $server['password'] ?? null,
        ], static fn (mixed $value): bool => $value !== null && $value !== '');

        return "unix://$path" . ($query === [] ? '' : '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986));
    }

    /** @param array<int|string, array<string, mixed>> $nodes */
    private static function cluster(array $nodes): string
    {
        unset($nodes['options']);
        $nodes = array_map((new ConfigurationUrlParser())->parseConfiguration(...), array_values($nodes));
        $addresses = array_map(static fn (array $node): string => self::address(self::host($node)[0], $node['port'] ?? 6379), $nodes);
        $tls = in_array(true, array_map(static fn (array $node): bool => self::host($node)[1], $nodes), true);
        $url = self::credentials($nodes[0] ?? []) . implode(',', $addresses);

        return $tls ? "rediss-cluster://$url" . TlsOptions::query($nodes[0]) : "redis-cluster://$url";
    }

    /**
     * @param array<string, mixed> $server
     *
     * @return array{string, bool} and whether it is to be reached by TLS
     */
    private static function host(array $server): array
    {
        $scheme = $server['driver'] ?? $server['scheme'] ?? 'tcp';
        $host = $server['host'] ?? throw new \InvalidArgumentException(
            'it names no server: give it a host, path or url, or set RATELIMIT_URL.',
        );
        if (str_contains($host, '://')) {
            [$scheme, $host] = explode('://', $host, 2);
        }

        return [$host, in_array($scheme, ['tls', 'ssl', 'rediss'], true)];
    }

    /** @param array<string, mixed> $server */
    private static function credentials(array $server): string
    {
        $password = (string) ($server['password'] ?? '');

        return $password === '' ? '' : rawurlencode((string) ($server['username'] ?? '')) . ':' . rawurlencode($password) . '@';
    }

    private static function address(string $host, int|string $port): string
    {
        return (str_contains($host, ':') && $host[0] !== '[' ? "[$host]" : $host) . ":$port";
    }
}
