<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

/** Without a URL of its own, or with an empty one as .env writes it, the package goes where the application's Redis connection goes. */
final class ConnectionTest extends ApplicationTestCase
{
    protected function config(): array
    {
        $redis = ['host' => self::$redis->socket, 'port' => 0, 'database' => 3];

        return [
            'ratelimit.url' => '',
            'ratelimit.prefix' => '',
            'ratelimit.connection' => 'limits',
            'database.redis' => ['client' => 'phpredis', 'options' => ['prefix' => 'shop_'], 'limits' => $redis],
        ] + parent::config();
    }

    public function testItUsesTheConnectionsDatabaseAndPrefix(): void
    {
        $this->getJson('/group')->assertOk();
        $this->assertSame([], self::$redis->keys());
        self::$redis->command('SELECT', 3);
        $this->assertSame(['shop_rl:api:ip:127.0.0.1:global'], self::$redis->keys());
        self::$redis->command('SELECT', 0);
    }
}
