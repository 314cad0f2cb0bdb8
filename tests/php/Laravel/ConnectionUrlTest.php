<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RedisRateLimit\Laravel\ConnectionUrl;

final class ConnectionUrlTest extends TestCase
{
    /**
     * @dataProvider connections
     *
     * @param array<string, mixed> $connection
     */
    #[DataProvider('connections')]
    public function testAConnectionIsAUrl(array $connection, string $url): void
    {
        $this->assertSame($url, ConnectionUrl::of(['client' => 'phpredis', 'default' => $connection], 'default'));
    }

    /** @return array<string, array{array<string, mixed>, string}> */
    public static function connections(): array
    {
        return [
            'as Laravel ships it' => [
                ['url' => null, 'host' => '127.0.0.1', 'username' => null, 'password' => null, 'port' => '6379', 'database' => '0'],
                'redis://127.0.0.1:6379/0',
            ],
            'password' => [['host' => 'cache', 'password' => 'p:/@+ ', 'database' => 2], 'redis://:p%3A%2F%40%2B%20@cache:6379/2'],
            'user' => [['host' => 'cache', 'username' => 'u', 'password' => 'p', 'port' => 7000], 'redis://u:p@cache:7000/0'],
            'TLS by scheme' => [['scheme' => 'tls', 'host' => 'cache'], 'rediss://cache:6379/0'],
            'TLS by host' => [['host' => 'tls://cache', 'port' => 6380], 'rediss://cache:6380/0'],
            'TLS options of Predis' => [
                ['scheme' => 'tls', 'host' => 'cache', 'ssl' => ['cafile' => '/ca.pem', 'peer_name' => 'redis', 'verify_peer' => true]],
                'rediss://cache:6379/0?ca=%2Fca.pem&server_name=redis',
            ],
            'TLS options of phpredis' => [
                ['host' => 'tls://cache', 'context' => ['stream' => ['local_cert' => '/c.pem', 'local_pk' => '/k.pem']]],
                'rediss://cache:6379/0?cert=%2Fc.pem&key=%2Fk.pem',
            ],
            'a certificate with its key' => [['host' => 'tls://cache', 'ssl' => ['local_cert' => '/both.pem']], 'rediss://cache:6379/0?cert=%2Fboth.pem&key=%2Fboth.pem'],
            'TLS options without TLS' => [['host' => 'cache', 'ssl' => ['cafile' => '/ca.pem']], 'redis://cache:6379/0'],
            'URL' => [['url' => 'rediss://u:p%2B@cache:6380/3', 'host' => 'ignored'], 'rediss://u:p%2B@cache:6380/3'],
            'IPv6' => [['host' => '2001:db8::1'], 'redis://[2001:db8::1]:6379/0'],
            'socket of Predis' => [['scheme' => 'unix', 'path' => '/run/redis.sock'], 'unix:///run/redis.sock'],
            'socket of phpredis' => [
                ['host' => '/run/redis.sock', 'port' => 0, 'database' => '1', 'password' => 'a+b', 'username' => 'u'],
                'unix:///run/redis.sock?db=1&user=u&pass=a%2Bb',
            ],
            'socket by host' => [['host' => 'unix:///run/redis.sock'], 'unix:///run/redis.sock'],
            'sentinel' => [['url' => 'redis-sentinel://a:1,b:2/main'], 'redis-sentinel://a:1,b:2/main'],
        ];
    }

    public function testACluster(): void
    {
        $nodes = [['host' => 'a', 'port' => 7001, 'password' => 'p'], ['host' => 'b', 'port' => 7002, 'password' => 'p']];
        $redis = ['clusters' => ['limits' => $nodes, 'options' => ['cluster' => 'redis']]];
        $this->assertSame('redis-cluster://:p@a:7001,b:7002', ConnectionUrl::of($redis, 'limits'));
    }

    public function testAClusterBehindTls(): void
    {
        foreach ([['scheme' => 'tls', 'host' => 'a'], ['host' => 'tls://a'], ['url' => 'rediss://a:6379']] as $node) {
            $redis = ['clusters' => ['limits' => [$node + ['port' => 6379], ['host' => 'b']]]];
            $this->assertSame('rediss-cluster://a:6379,b:6379', ConnectionUrl::of($redis, 'limits'));
        }
        $redis = ['clusters' => ['limits' => [['host' => 'tls://a', 'ssl' => ['cafile' => '/ca.pem']], ['host' => 'tls://b']]]];
        $this->assertSame('rediss-cluster://a:6379,b:6379?ca=%2Fca.pem', ConnectionUrl::of($redis, 'limits'));
    }

    public function testACertificateThatIsNotToBeCheckedIsRefused(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('verify_peer');
        ConnectionUrl::of(['default' => ['host' => 'tls://cache', 'context' => ['ssl' => ['verify_peer' => false]]]], 'default');
    }

    /** As Predis writes a master and its replicas: this machine is not meant. */
    public function testAConnectionWithoutAServerIsRefused(): void
    {
        foreach ([['tcp://10.0.0.1', 'tcp://10.0.0.2'], ['port' => 6379]] as $connection) {
            try {
                ConnectionUrl::of(['default' => $connection], 'default');
                $this->fail(json_encode($connection) . ' was accepted');
            } catch (\InvalidArgumentException $exception) {
                $this->assertStringContainsString('names no server: give it a host, path or url, or set RATELIMIT_URL', $exception->getMessage());
            }
        }
    }

    public function testAnUnknownConnectionIsNamedBesideTheKnownOnes(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('"limits", but config/database.php has only "default", "cache", "main" under redis');
        ConnectionUrl::of(['client' => 'predis', 'options' => [], 'default' => [], 'cache' => [], 'clusters' => ['main' => []]], 'limits');
    }

    public function testThePrefixIsTheNearestOne(): void
    {
        $redis = ['options' => ['prefix' => 'app_'], 'default' => [], 'own' => ['prefix' => 'own_'], 'nested' => ['options' => ['prefix' => 'n_']]];
        $this->assertSame(['app_', 'own_', 'n_'], array_map(static fn (string $name): string => ConnectionUrl::prefix($redis, $name), ['default', 'own', 'nested']));
        $this->assertSame('', ConnectionUrl::prefix(['default' => []], 'default'));
    }
}
