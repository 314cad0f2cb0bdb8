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
            'timeout' => ['timeout', 'soon', '"soon" is not a timeout: give a number of seconds'],
            'URL' => ['url', 'http://localhost', 'The url in config/ratelimit.php (RATELIMIT_URL) cannot be used: a Redis URL begins with'],
            'prefix' => ['prefix', "a\nb", 'is no prefix'],
            'headers' => ['headers', 'modern', 'can be "legacy", "standard", "both", "none", not "modern"'],
            'tenants' => ['tenants', ['usr'], 'The tenant resolver "usr" in config/ratelimit.php'],
            'a failure rule' => ['on_failure', 'close', 'on_failure "close" is unknown'],
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
            'url' => [['ratelimit.url' => 'redis://:s3cret@host:port'], $url . 'the port in a Redis URL is a number from 1 to 65535.'],
            'beside a wrong timeout' => [['ratelimit.url' => 'redis://s3cret@host', 'ratelimit.timeout' => 'soon'], $url . "what stands before the '@'"],
            'of a connection, malformed' => [['ratelimit.url' => '', 'database.redis.default' => ['url' => 'redis://:s3cret@host:port']], $connection],
            'of a connection, with a wrong host' => [['ratelimit.url' => null, 'database.redis.default' => ['url' => 'redis://:s3cret@ho st']], $connection . 'a Redis URL names a host'],
            'of a connection, for several servers' => [['ratelimit.url' => null, 'database.redis.default' => ['url' => 'redis-sentinel://:s3cret@a']], $connection . 'redis-sentinel://'],
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
