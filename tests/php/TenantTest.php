<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Policy;
use RedisRateLimit\Tests\Support\RedisServer;

/** Tenants and scopes may be any bytes; each pair is its own budget under a key one can read. */
final class TenantTest extends RedisTestCase
{
    private const ODD = [
        'a', 'a b', "john'doe", 'ⓐ', "\0\xff", '{x}', 'a}b{c', '*', "x\r\nDEL y", '2001:db8::1', '%3A', '"', '\\', '[a]', '?',
    ];

    public function testKeysAreReadable(): void
    {
        $this->limiter->consume(Policy::fixedWindow('api-default', 5, 60), 'tenant_8231');
        $this->limiter->consume(Policy::fixedWindow('export', 5, 60), 'tenant_8231', 'POST_/v1/exports');
        $this->limiter->consume(Policy::fixedWindow('api', 5, 60), '2001:db8::1', 'a:b');

        self::assertSame(
            ['rl:api-default:tenant_8231:global', 'rl:api:2001:db8::1:a%3Ab', 'rl:export:tenant_8231:POST_/v1/exports'],
            self::$redis->keys(),
        );
    }

    public function testEveryTenantIsItsOwnCounterAndNothingElseIsTouched(): void
    {
        $policy = Policy::fixedWindow('p', 100, 60);
        self::$redis->command('SET', 'y', 'untouched');
        $tenants = [...self::ODD, str_repeat('long', 2560), str_repeat('long', 2560) . '!'];

        foreach ($tenants as $number => $tenant) {
            for ($i = 0; $i <= $number; $i++) {
                self::assertAllowed(99 - $i, $this->limiter->consume($policy, $tenant));
            }
        }
        foreach ($tenants as $number => $tenant) {
            self::assertSame(99 - $number, $this->limiter->peek($policy, $tenant)->remaining, $tenant);
        }

        self::assertCount(count($tenants) + 1, self::$redis->keys());
        self::assertSame('untouched', self::$redis->command('GET', 'y'));
    }

    public function testEveryScopeIsItsOwnCounter(): void
    {
        $policy = Policy::fixedWindow('p', 100, 60);
        foreach (self::ODD as $number => $scope) {
            for ($i = 0; $i <= $number; $i++) {
                self::assertAllowed(99 - $i, $this->limiter->consume($policy, 'alice', $scope));
            }
        }

        self::assertCount(count(self::ODD), self::$redis->keys());
    }

    public function testTenantAndScopeNeverRunIntoEachOther(): void
    {
        foreach ([['a', 'b:c'], ['a:b', 'c'], ['a:b:c', 'global'], ['a', 'b%3Ac'], ['a%3Ab', 'c']] as [$tenant, $scope]) {
            self::assertAllowed(4, $this->limiter->consume(Policy::fixedWindow('p', 5, 60), $tenant, $scope));
        }
    }

    public function testALongTenantOrScopeBecomesAShortKey(): void
    {
        $policy = Policy::fixedWindow('p', 5, 60);
        foreach ([['long' => str_repeat('x', 129), 'scope' => 'global'], ['long' => 'alice', 'scope' => str_repeat('y', 10_000)]] as $subject) {
            self::assertAllowed(4, $this->limiter->consume($policy, $subject['long'], $subject['scope']));
        }
        $this->limiter->consume($policy, str_repeat('z', 128));

        self::assertLessThan(strlen('rl:p::global') + 140, max(array_map('strlen', self::$redis->keys())));
        self::assertContains('rl:p:' . str_repeat('z', 128) . ':global', self::$redis->keys());
    }

    public function testAllKeysOfACompoundHaveOneSlot(): void
    {
        $cluster = new RedisServer(['cluster-enabled' => 'yes']);
        $own = Policy::fixedWindow('own', 100, 60);
        $all = Policy::fixedWindow('all', 100, 60);
        foreach ([Policy::compound('p', $own, $all), Policy::compound('p', $own, $all->shared())] as $policy) {
            foreach ([...self::ODD, str_repeat('long', 2560)] as $tenant) {
                self::$redis->command('FLUSHALL');
                self::assertTrue($this->limiter->consume($policy, $tenant, 'a:{b}')->allowed);
                $slots = array_map(static fn (string $key) => $cluster->command('CLUSTER', 'KEYSLOT', $key), self::$redis->keys());
                self::assertCount(2, $slots, $tenant);
                self::assertCount(1, array_unique($slots), $tenant);
            }
        }
    }

    public function testTheKeysOfACompoundNameItsMembers(): void
    {
        $policy = Policy::compound('api', Policy::fixedWindow('burst', 5, 1), Policy::fixedWindow('daily', 5, 60));
        $this->limiter->consume($policy, 'alice');

        self::assertSame(['rl:{api:alice:global}:burst', 'rl:{api:alice:global}:daily'], self::$redis->keys());
    }

    public function testThePrefixIsTheFirstPartOfEveryKey(): void
    {
        $limiter = new \RedisRateLimit\RateLimiter(self::$redis->url(), timeout: 10.0, prefix: 'shop');
        $limiter->consume(Policy::fixedWindow('p', 5, 60), 'alice');

        self::assertSame(['shop:p:alice:global'], self::$redis->keys());
    }
}
