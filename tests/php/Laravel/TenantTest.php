<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Auth\GenericUser;
use Illuminate\Http\Request;
use Illuminate\Support\Str;
use RedisRateLimit\Laravel\Facades\RateLimit;
use RedisRateLimit\Laravel\RequestServices;
use RedisRateLimit\Laravel\Tenants;

final class TenantTest extends ApplicationTestCase
{
    public function testUserBeforeTokenBeforeAddress(): void
    {
        $address = ['REMOTE_ADDR' => '192.0.2.7'];
        $token = $address + ['HTTP_AUTHORIZATION' => 'Bearer s3cret'];
        $this->assertSame('ip:192.0.2.7', $this->tenant($address));
        $this->assertSame('key:' . substr(hash('sha256', 's3cret'), 0, 32), $this->tenant($token));
        $this->assertSame('user:42', $this->tenant($token + ['HTTP_X_USER' => '42']));
    }

    public function testASecretNeverReachesRedis(): void
    {
        $this->getJson('/group', ['Authorization' => 'Bearer s3cret'])->assertOk();
        $this->assertStringNotContainsString('s3cret', implode(' ', self::$redis->keys()));
    }

    public function testAnIpv6NetworkIsOneTenantAndAMappedAddressIsItsIpv4One(): void
    {
        $this->assertSame('ip:2001:db8:1:2::/64', $this->tenant(['REMOTE_ADDR' => '2001:db8:1:2:3:4:5:6']));
        $this->assertSame('ip:192.0.2.7', $this->tenant(['REMOTE_ADDR' => '::ffff:192.0.2.7']));
    }

    public function testTheClientsAddressIsWhatTrustedProxiesSayAndNobodyElse(): void
    {
        $forwarded = ['HTTP_X_FORWARDED_FOR' => '198.51.100.1, 198.51.100.2'];
        try {
            Request::setTrustedProxies(['192.0.2.1'], Request::HEADER_X_FORWARDED_FOR);
            $this->assertSame('ip:198.51.100.2', $this->tenant(['REMOTE_ADDR' => '192.0.2.1'] + $forwarded));
            $this->assertSame('ip:192.0.2.2', $this->tenant(['REMOTE_ADDR' => '192.0.2.2'] + $forwarded));
        } finally {
            Request::setTrustedProxies([], Request::HEADER_X_FORWARDED_FOR);
        }
    }

    public function testGuestsAndUsersHaveBudgetsOfTheirOwn(): void
    {
        for ($i = 0; $i < 3; $i++) {
            $this->getJson('/group')->assertOk();
        }
        $this->getJson('/group')->assertStatus(429);
        $this->getJson('/group', ['X-User' => '127.0.0.1'])->assertOk()->assertHeader('X-RateLimit-Remaining', '2');
    }

    public function testAClosureReplacesTheResolversUnlessItReturnsNull(): void
    {
        RateLimit::resolveTenantUsing(static fn (Request $request): ?string => $request->header('X-Tenant'));
        foreach (["john'doe", '"a&b"', 'ⓐ', 'a'] as $i => $tenant) {
            $this->getJson('/group', ['X-Tenant' => $tenant])->assertOk()->assertHeader('X-RateLimit-Remaining', '2');
            $this->assertCount($i + 1, self::$redis->keys());
        }
        $this->assertContains('rl:api:ⓐ:global', self::$redis->keys());
        $this->assertSame('ip:127.0.0.1', $this->tenant(['REMOTE_ADDR' => '127.0.0.1']));
    }

    public function testAnIdThatIsAnObjectIsItsText(): void
    {
        $user = new GenericUser(['id' => Str::of('0198-uuid')]);
        $request = Request::create('/');
        $request->setUserResolver(static fn (): GenericUser => $user);
        $this->assertSame('user:0198-uuid', (new Tenants(['user']))->of($request));
    }

    public function testHeadersAndClassesResolveToo(): void
    {
        $tenants = new Tenants(['header:X-API-Key', FromQuery::class]);
        $this->assertSame('key:' . substr(hash('sha256', 'k1'), 0, 32), $tenants->of(Request::create('/?tenant=t', server: ['HTTP_X_API_KEY' => 'k1'])));
        $this->assertSame('t', $tenants->of(Request::create('/?tenant=t')));
        $this->assertSame('ip:127.0.0.1', $tenants->of(Request::create('/')), 'nobody is known: the address');
        $this->assertSame('ip:127.0.0.1', $tenants->of(Request::create('/?tenant=')), 'an empty name names nobody');
    }

    public function testAWrongResolverIsNamed(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('"usr"');
        (new Tenants(['usr']))->of(Request::create('/'));
    }

    public function testOneApplicationServesManyUsers(): void
    {
        // As under Octane: whatever a request left behind must not reach the next one.
        foreach (['1', '2', null, '1'] as $user) {
            $this->refreshRequest();
            $answers[] = $this->getJson('/group', $user === null ? [] : ['X-User' => $user])->headers->get('X-RateLimit-Remaining');
        }
        $this->assertSame(['2', '2', '2', '1'], $answers);
        $this->assertSame(['rl:api:ip:127.0.0.1:global', 'rl:api:user:1:global', 'rl:api:user:2:global'], self::$redis->keys());
    }

    /** @param array<string, string> $server */
    private function tenant(array $server): string
    {
        $this->refreshRequest();
        $request = Request::create('/group', 'GET', server: $server);
        $this->app->instance('request', $request);
        $request->setUserResolver(fn () => $this->app['auth']->user());

        return $this->app->make(RequestServices::class)->tenants->of($request);
    }

    /** What Octane does between requests. */
    private function refreshRequest(): void
    {
        $this->app['auth']->forgetGuards();
    }
}
