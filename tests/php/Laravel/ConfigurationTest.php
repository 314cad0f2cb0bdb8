<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use PHPUnit\Framework\Attributes\DataProvider;

/** What is wrong in config/ratelimit.php is said by name. */
final class ConfigurationTest extends ApplicationTestCase
{
    /** @dataProvider mistakes */
    #[DataProvider('mistakes')]
    public function testAMistakeIsNamed(string $key, mixed $value, string $message): void
    {
        $this->app['config']->set("ratelimit.$key", $value);
        $this->withoutExceptionHandling();
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage($message);
        $this->getJson('/group');
    }

    /** @return array<string, array{string, mixed, string}> */
    public static function mistakes(): array
    {
        return [
            'timeout' => ['timeout', 'soon', 'The timeout in config/ratelimit.php (RATELIMIT_TIMEOUT) cannot be used: "soon"'],
            'timeout out of range' => ['timeout', '-1', 'The timeout in config/ratelimit.php (RATELIMIT_TIMEOUT) cannot be used: '],
            'URL' => ['url', 'http://localhost', 'The url in config/ratelimit.php (RATELIMIT_URL) cannot be used: a Redis URL begins with'],
            'prefix' => ['prefix', "a\nb", 'The prefix in config/ratelimit.php (RATELIMIT_PREFIX) cannot be used: "a\nb" is no prefix'],
            'headers' => ['headers', 'modern', 'The headers in config/ratelimit.php (RATELIMIT_HEADERS) cannot be used: Rate limit headers can be "legacy", "standard", "both", "none", not "modern".'],
            'headers=false in .env' => ['headers', false, 'not "false"'],
            'tenants' => ['tenants', ['usr'], 'The tenant resolver "usr" in config/ratelimit.php'],
            'a failure rule' => ['on_failure', 'close', 'The on_failure in config/ratelimit.php (RATELIMIT_ON_FAILURE) can be "open" or "closed", not "close".'],
            'on_failure=false in .env' => ['on_failure', false, 'not false'],
            "a policy's failure rule" => ['policies.api', ['policy' => 'fixed_window', 'limit' => 5, 'interval' => 60, 'on_failure' => 'close'], 'policy "api": on_failure "close"'],
            'a policy that is no array' => ['policies.api', 'fixed_window', '"api" is configured as string'],
            'an unknown word' => ['policies.api', ['policy' => 'fixed_window', 'limt' => 5], '"limt" is unknown'],
            'no policies' => ['policies', null, 'none is configured'],
        ];
    }

    /**
     * @dataProvider wrongUrls
     *
     * @param array<string, mixed> $settings
     */
    #[DataProvider('wrongUrls')]
    public function testAWrongUrlIsNamedByItsSettingAndKeepsItsPassword(array $settings, string $message): void
    {
        $this->app['config']->set($settings);
        $this->withoutExceptionHandling();
        try {
            $this->getJson('/group');
            $this->fail('no exception');
        } catch (\InvalidArgumentException $exception) {
            $this->assertStringStartsWith($message, $exception->getMessage());
            for ($cause = $exception; $cause !== null; $cause = $cause->getPrevious()) {
                $this->assertStringNotContainsString('s3cret', $cause->getMessage());
            }
        }
    }

    /** @return array<string, array{array<string, mixed>, string}> */
    public static function wrongUrls(): array
    {
        $url = 'The url in config/ratelimit.php (RATELIMIT_URL) cannot be used: ';
        $connection = 'The Redis connection "default" in config/database.php cannot be used: ';

        return [
            'url' => [['ratelimit.url' => 'redis://:s3cret@host:port'], $url . 'the port in a Redis URL is a number from 1 to 65535'],
            'beside a wrong timeout' => [['ratelimit.url' => 'redis://s3cret@host', 'ratelimit.timeout' => 'soon'], $url . "what stands before the '@'"],
            'of a connection, malformed' => [['ratelimit.url' => '', 'database.redis.default' => ['url' => 'redis://:s3cret@host:port']], $connection],
            'of a connection, with a wrong host' => [['ratelimit.url' => null, 'database.redis.default' => ['url' => 'redis://:s3cret@ho st']], $connection . 'a Redis URL names a host'],
            'of a connection, for several servers' => [['ratelimit.url' => null, 'database.redis.default' => ['url' => 'redis-sentinel://:s3cret@a']], $connection . 'redis-sentinel://'],
            'the prefix of a connection' => [
                ['ratelimit.url' => null, 'database.redis.default' => ['host' => 'h', 'prefix' => "a\nb", 'password' => 's3cret']],
                'The prefix of the Redis connection "default" in config/database.php cannot be used: "a\nbrl" is no prefix',
            ],
            'of a cluster' => [['ratelimit.url' => null, 'database.redis' => ['clusters' => ['default' => [['url' => 'redis://:s3cret@host:port']]]]], $connection],
        ];
    }

    /** As RATELIMIT_HEADERS= in .env. */
    public function testAnEmptyWordIsNone(): void
    {
        $empty = array_fill_keys(['url', 'connection', 'prefix', 'timeout', 'on_failure', 'headers', 'replace_throttle'], '');
        $redis = ['default' => ['host' => self::$redis->socket, 'port' => 0]];
        $this->app['config']->set(['database.redis' => $redis, 'ratelimit' => $empty + $this->app['config']['ratelimit']]);
        $this->getJson('/group')->assertOk()->assertHeader('X-RateLimit-Remaining', '2');
        $this->assertSame(['rl:api:ip:127.0.0.1:global'], self::$redis->keys());
    }

    public function testASingleTenantResolverNeedsNoList(): void
    {
        $this->app['config']->set('ratelimit.tenants', 'user');
        $this->getJson('/group', ['X-User' => '42'])->assertOk();
        $this->assertSame(['rl:api:user:42:global'], self::$redis->keys());
    }
}
