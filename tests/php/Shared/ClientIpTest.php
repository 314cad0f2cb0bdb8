<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Shared;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RedisRateLimit\Tenant\ClientIp;
use RedisRateLimit\Tenant\Tenant;

final class ClientIpTest extends TestCase
{
    /** @dataProvider addresses */
    #[DataProvider('addresses')]
    public function testNetwork(?string $address, string $network): void
    {
        $this->assertSame($network, ClientIp::network($address));
    }

    /** @return list<array{?string, string}> */
    public static function addresses(): array
    {
        return [
            ['192.0.2.7', '192.0.2.7'],
            [' 192.0.2.7 ', '192.0.2.7'],
            ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
            ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
            ['::1', '::/64'],
            ['fe80::1%eth0', 'fe80::/64'],
            ['192.0.2.7%eth0', '192.0.2.7'],
            ['::ffff:192.0.2.7', '192.0.2.7'],
            ['::FFFF:c000:207', '192.0.2.7'],
            ['::192.0.2.7', '::/64'],
            ['', 'unknown'],
            [null, 'unknown'],
            ['unix:', 'unknown'],
            ['192.0.2.256', 'unknown'],
            ['192.0.2.7, 10.0.0.1', 'unknown'],
            ["\xff\0", 'unknown'],
        ];
    }

    public function testKindsOfTenantsNeverMeet(): void
    {
        $tenants = [Tenant::user(42), Tenant::user('ip:42'), Tenant::secret('42'), Tenant::ip('42')];
        $this->assertCount(4, array_unique($tenants));
        $this->assertSame('key:73475cb40a568e8da8a045ced110137e', Tenant::secret('42'));
    }

    public function testTheFirstThatIsKnown(): void
    {
        $this->assertSame('user:0', Tenant::firstOf(0, 'secret', '192.0.2.7'));
        $this->assertSame(Tenant::secret('0'), Tenant::firstOf('', '0', '192.0.2.7'));
        $this->assertSame('ip:192.0.2.7', Tenant::firstOf(null, '', '192.0.2.7'));
        $this->assertSame('ip:unknown', Tenant::firstOf(null, null, null));
    }

    /**
     * @dataProvider forgotten
     *
     * @param \Closure(string): string $tenant
     */
    #[DataProvider('forgotten')]
    public function testWhatIsForgottenIsNobodysBudget(\Closure $tenant, string $named): void
    {
        $this->assertStringEndsNotWith(':', $tenant('0'));
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage("The $named of a rate limit's tenant is empty");
        $tenant('');
    }

    /** @return list<array{\Closure(string): string, string}> */
    public static function forgotten(): array
    {
        return [[Tenant::user(...), 'user id'], [Tenant::named(...), 'name'], [Tenant::secret(...), 'secret']];
    }
}
