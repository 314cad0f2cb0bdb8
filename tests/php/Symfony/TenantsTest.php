<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use PHPUnit\Framework\Attributes\TestWith;
use RedisRateLimit\Symfony\Attribute\RateLimited;
use RedisRateLimit\Symfony\Tenant\AttributeTenant;
use RedisRateLimit\Symfony\Tenant\UserTenant;
use RedisRateLimit\Symfony\Tenant\Tenants;
use RedisRateLimit\Tenant\Secret;
use RedisRateLimit\Tests\Symfony\App\HeaderTenant;
use Symfony\Component\DependencyInjection\ServiceLocator;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Event\ControllerEvent;
use Symfony\Component\Security\Core\Authentication\Token\AbstractToken;
use Symfony\Component\Security\Core\Authentication\Token\Storage\TokenStorage;
use Symfony\Component\Security\Core\User\InMemoryUser;
use Symfony\Component\Security\Core\User\UserInterface;

/** Whose budget a request is charged to. */
final class TenantsTest extends SymfonyTestCase
{
    private const BOB = ['PHP_AUTH_USER' => 'bob', 'PHP_AUTH_PW' => 'right'];

    public function testALoggedInUserGoesBeforeTheAddress(): void
    {
        $application = $this->limited("    default: api", full: true);

        self::assertRemaining(59, self::request($application, '/hello', server: self::BOB));
        self::assertRemaining(58, self::request($application, '/hello', server: self::BOB + ['REMOTE_ADDR' => '192.0.2.9']));
        self::assertRemaining(59, self::request($application, '/hello'));
        self::assertSame(['rl:api:ip:127.0.0.1:global', 'rl:api:user:bob:global'], $this->keysOf('api'));
    }

    /** Until Symfony 5.4 a user needs no method getUserIdentifier(); a token knows where to look. */
    public function testTheUserIsNamedAsTheTokenNamesIt(): void
    {
        $tokens = new TokenStorage();
        $tokens->setToken(new class () extends AbstractToken {
            public function getUser(): ?UserInterface
            {
                return new InMemoryUser('another', null);
            }

            public function getUserIdentifier(): string
            {
                return 'bob';
            }

            public function getCredentials(): mixed
            {
                return null;
            }
        });

        self::assertSame('user:bob', (new UserTenant($tokens))->resolve(Request::create('/')));
    }

    public function testAnAttributeMayNameAnotherTenantForItsPolicy(): void
    {
        $application = $this->limited('', full: true);

        self::assertSame(200, self::request($application, '/own', server: self::BOB)->getStatusCode());
        self::assertSame(['rl:api:user:bob:global'], $this->keysOf('api'));
        self::assertSame(['rl:export:ip:127.0.0.1:global'], $this->keysOf('export'));
    }

    public function testATenantInTheRequestsAttributesGoesBeforeTheUser(): void
    {
        $application = $this->limited("    default: api", full: true);

        self::request($application, '/t/acme', server: self::BOB);

        self::assertSame(['rl:api:tenant:acme:global'], $this->keysOf('api'));
    }

    public function testATenantInTheRequestsAttributesMayBeAnObjectThatHasAText(): void
    {
        $request = Request::create('/hello');
        $request->attributes->set('tenant_id', new \Exception());
        self::assertSame('tenant:' . $request->attributes->get('tenant_id'), (new AttributeTenant())->resolve($request));
        $request->attributes->set('tenant_id', new \stdClass());
        self::assertNull((new AttributeTenant())->resolve($request));
    }

    public function testATenantInThePathCannotTakeAnAddressesBudget(): void
    {
        $application = $this->limited("    default: api");

        self::assertRemaining(59, self::request($application, '/hello', server: ['REMOTE_ADDR' => '10.0.0.9']));
        self::assertRemaining(59, self::request($application, '/t/ip:10.0.0.9'));
        self::assertSame(['rl:api:ip:10.0.0.9:global', 'rl:api:tenant:ip:10.0.0.9:global'], self::$redis->keys());
    }

    public function testTheClientsAddressIsWhatTrustedProxiesSayAndNobodyElse(): void
    {
        $application = $this->limited("    default: api\n    tenant: ip");
        $forwarded = ['HTTP_X_FORWARDED_FOR' => '198.51.100.1, 2001:db8:1:2::1'];
        try {
            Request::setTrustedProxies(['192.0.2.1'], Request::HEADER_X_FORWARDED_FOR);
            self::request($application, '/hello', server: ['REMOTE_ADDR' => '192.0.2.1'] + $forwarded);
            self::request($application, '/hello', server: ['REMOTE_ADDR' => '192.0.2.2'] + $forwarded);
        } finally {
            Request::setTrustedProxies([], Request::HEADER_X_FORWARDED_FOR);
        }

        self::assertSame(['rl:api:ip:192.0.2.2:global', 'rl:api:ip:2001:db8:1:2::/64:global'], self::$redis->keys());
    }

    public function testAnApiKeyIsHashed(): void
    {
        $application = $this->limited("    default: api\n    tenant: ['api_key:X-Token', ip]");

        self::request($application, '/hello', server: ['HTTP_X_TOKEN' => 'secret']);
        self::request($application, '/hello', server: ['HTTP_X_TOKEN' => '']);

        self::assertSame(['rl:api:ip:127.0.0.1:global', 'rl:api:key:' . Secret::hash('secret') . ':global'], self::$redis->keys());
    }

    public function testWithoutANameOfItsOwnTheHeaderOfApiKeysIsTheUsualOne(): void
    {
        self::request($this->limited("    default: api\n    tenant: api_key"), '/hello', server: ['HTTP_X_API_KEY' => 'secret']);

        self::assertSame(['rl:api:key:' . Secret::hash('secret') . ':global'], self::$redis->keys());
    }

    public function testARequestAttributeOfAnotherNameMayHoldTheTenant(): void
    {
        $application = $this->limited("    routes: { file: export }\n    tenant: attribute:name");

        self::request($application, '/files/acme');

        self::assertSame(['rl:export:tenant:acme:/files/acme'], $this->keysOf('export'));
    }

    public function testAResolverIsFoundByItsInterfaceThoughTheChainDoesNotNameIt(): void
    {
        $request = Request::create('/x', server: ['HTTP_X_ORGANISATION' => 'acme']);
        $request->attributes->set('_controller', #[RateLimited('api', tenant: HeaderTenant::class)] static fn (): Response => new Response());

        $this->limited('')->handle($request, catch: false);

        self::assertSame(['rl:api:acme:global'], self::$redis->keys());
    }

    public function testAServiceOfTheApplicationNamesTheTenant(): void
    {
        $application = $this->limited("    default: api\n    tenant: ['@" . HeaderTenant::class . "']");

        self::assertRemaining(59, self::request($application, '/hello', server: ['HTTP_X_ORGANISATION' => 'acme']));
        self::assertSame(['rl:api:acme:global'], self::$redis->keys());
    }

    public function testAServiceThatTurnsOutToBeNoResolverIsNamed(): void
    {
        $tenants = new Tenants(['@made'], new ServiceLocator(['made' => static fn (): object => new \stdClass()]));

        $this->expectExceptionObject(new \InvalidArgumentException('"@made" is neither'));
        $tenants->of(Request::create('/hello'));
    }

    public function testWhereNobodyKnowsTheTenantNothingIsLimited(): void
    {
        $application = $this->limited("    default: api\n    tenant: user");

        self::assertRemaining(null, self::request($application, '/hello'));
        self::assertSame([], self::$redis->keys());
    }

    /**
     * @testWith ["user", true]
     *           ["ip", false]
     */
    #[TestWith(['user', true])]
    #[TestWith(['ip', false])]
    public function testOnlyTheUserResolverLoadsTheSessionOfALazyFirewall(string $tenant, bool $loads): void
    {
        $application = $this->limited("    default: api\n    tenant: $tenant", full: true);
        $request = Request::create('/hello', cookies: ['MOCKSESSID' => 'known']);

        $application->boot();
        $application->getContainer()->get('event_dispatcher')->addListener('kernel.controller', static function (ControllerEvent $event) use (&$loaded): void {
            $loaded = $event->getRequest()->attributes->has('_security_firewall_run');
        });

        $application->handle($request);

        self::assertSame($loads, $loaded);
    }

    /** @return list<string> */
    private function keysOf(string $policy): array
    {
        return array_values(array_filter(self::$redis->keys(), static fn (string $key): bool => str_starts_with($key, "rl:$policy:")));
    }
}
