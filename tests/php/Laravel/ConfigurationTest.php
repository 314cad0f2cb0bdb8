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
            'URL' => ['url', 'http://localhost', "not with 'http'"],
            'headers' => ['headers', 'modern', 'can be "legacy", "standard", "both", "none", not "modern"'],
            'tenants' => ['tenants', ['usr'], 'The tenant resolver "usr" in config/ratelimit.php'],
            'a failure rule' => ['on_failure', 'close', 'on_failure "close" is unknown'],
            'a policy that is no array' => ['policies.api', 'fixed_window', '"api" is configured as string'],
            'an unknown word' => ['policies.api', ['policy' => 'fixed_window', 'limt' => 5], '"limt" is unknown'],
            'no policies' => ['policies', null, 'none is configured'],
        ];
    }

    public function testASingleTenantResolverNeedsNoList(): void
    {
        $this->app['config']->set('ratelimit.tenants', 'user');
        $this->getJson('/group', ['X-User' => '42'])->assertOk();
        $this->assertSame(['rl:api:user:42:global'], self::$redis->keys());
    }
}
