<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use RedisRateLimit\InvalidConfiguration;
use RedisRateLimit\InvalidPolicy;
use RedisRateLimit\Symfony\Attribute\RateLimited;
use RedisRateLimit\Tests\Support\TemporaryDirectory;
use RedisRateLimit\Tests\Symfony\App\Application;
use RedisRateLimit\Tests\Symfony\App\Controller;
use RedisRateLimit\Tests\Symfony\App\HeaderTenant;
use RedisRateLimit\Tests\Symfony\App\Listener;
use RedisRateLimit\UnknownPolicy;
use Symfony\Component\Config\Definition\Exception\InvalidConfigurationException;
use Symfony\Component\HttpFoundation\Request;

/** Wrong configuration fails when the container is built, and says what would be right. */
final class ConfigurationTest extends SymfonyTestCase
{
    /** @dataProvider mistakes */
    #[DataProvider('mistakes')]
    public function testAMistakeIsNamedByKeyBesideTheAllowedWords(string $yaml, string ...$words): void
    {
        try {
            $this->application("redis_rate_limit:\n$yaml")->boot();
        } catch (InvalidConfigurationException $e) {
            foreach ($words as $word) {
                self::assertStringContainsString($word, $e->getMessage());
            }

            return;
        }
        self::fail('no InvalidConfigurationException');
    }

    public static function mistakes(): array
    {
        $policy = '{ policy: fixed_window, limit: 5, interval: 60 }';

        return [
            'unknown key' => ['    polices: {}', 'polices', 'policies'],
            'unknown word of a policy' => ['    policies: { api: { policy: fixed_window, limt: 5 } }', 'redis_rate_limit.policies.api', 'limt', 'limit'],
            'unknown algorithm' => ['    policies: { api: { policy: tokens, limit: 5 } }', 'redis_rate_limit.policies.api', 'tokens', 'token_bucket', 'sliding_log'],
            'no limit' => ['    policies: { api: { policy: fixed_window, interval: 60 } }', 'redis_rate_limit.policies.api', 'limit'],
            'no rate' => ['    policies: { api: { policy: token_bucket, limit: 60 } }', 'redis_rate_limit.policies.api', '"rate" is missing', "rate: { amount: 10, interval: '1 minute' }"],
            'an empty rate' => ['    policies: { api: { policy: leaky_bucket, limit: 60, rate: ~ } }', 'redis_rate_limit.policies.api', "rate: { amount: 10, interval: '1 minute' }"],
            'no rate of a member' => ['    policies: { api: { policy: compound, limiters: { burst: { policy: token_bucket, limit: 60 } } } }', 'policies.api', '"burst"', "rate: { amount: 10, interval: '1 minute' }"],
            'a limiter named policies' => ["    policies: $policy", 'named "policies"', 'policies: { policies: '],
            'a limiter named limiters' => ["    limiters: $policy", 'named "limiters"', 'policies: { limiters: '],
            'a month' => ['    policies: { api: { policy: fixed_window, limit: 5, interval: 1 month } }', 'redis_rate_limit.policies.api', '1 month'],
            'an interval of two units' => ["    policies: { api: { policy: fixed_window, limit: 5, interval: '5 minutes, 10 seconds' } }", 'redis_rate_limit.policies.api', '5 minutes, 10 seconds', '"30 seconds"'],
            'a wrong member' => ['    policies: { api: { policy: compound, limiters: { a: { policy: fixed_window, limt: 5 } } } }', 'redis_rate_limit.policies.api', 'limt'],
            'an unknown member' => ['    policies: { api: { policy: compound, limiters: [burst] } }', 'redis_rate_limit.policies', 'burst', 'api'],
            'failure rule' => ['    on_failure: maybe', 'redis_rate_limit.on_failure', 'maybe', 'open', 'closed'],
            'failure rule of a policy' => ['    policies: { api: { policy: fixed_window, limit: 5, interval: 60, on_failure: maybe } }', 'redis_rate_limit.policies.api', 'maybe', 'open', 'closed'],
            'headers' => ['    headers: modern', 'redis_rate_limit.headers', 'modern', 'legacy', 'standard', 'both', 'none'],
            'url' => ['    url: http://localhost', 'redis_rate_limit.url', 'http', 'redis://'],
            'a socket in the words of Symfony' => ['    url: redis://secret@/run/redis.sock', 'redis_rate_limit.url', 'unix:///path/to.sock?pass=PASSWORD'],
            'timeout' => ['    timeout: soon', 'redis_rate_limit.timeout', 'soon', 'seconds'],
            'default' => ["    default: apy\n    policies: { api: $policy }", 'redis_rate_limit.default', 'apy', '"api"'],
            'route' => ["    routes: { hello: [api, apy] }\n    policies: { api: $policy }", 'redis_rate_limit.routes.hello', 'apy', '"api"'],
            'a fake by the environment' => ["    fake: '%env(bool:FAKE)%'", 'redis_rate_limit.fake', 'true or false'],
            'a member without a name' => ['    policies: { api: { policy: compound, limiters: [~] } }', 'redis_rate_limit.policies', '"null"', 'api'],
            'a rate in one word' => ['    policies: { api: { policy: compound, limiters: { a: { policy: token_bucket, limit: 5, rate: 1 minute } } } }', 'redis_rate_limit.policies.api', 'rate'],
            'no policies' => ['    policies: api', 'redis_rate_limit.policies', 'array'],
            'no limiters' => ['    limiters: api', 'redis_rate_limit', 'limiters'],
            'no tenant' => ['    tenant: ~', 'redis_rate_limit.tenant', 'attribute', 'user', 'api_key', 'ip', 'service'],
            'a tenant that is a number' => ['    tenant: [5]', 'redis_rate_limit.tenant', '"5"', 'attribute'],
            'a tenant of another class' => ['    tenant: app.controller', 'redis_rate_limit.tenant', 'app.controller', 'TenantResolver'],
            'headers of nothing' => ['    headers: ~', 'redis_rate_limit.headers', 'legacy', 'standard', 'both', 'none', 'null'],
            'a failure rule that is a truth value' => ['    on_failure: false', 'redis_rate_limit.on_failure', 'false', 'open', 'closed'],
            'a URL that is a number' => ['    url: 5', 'redis_rate_limit.url', 'redis://'],
            'a route of a truth value' => ["    routes: { hello: true }\n    policies: { api: $policy }", 'redis_rate_limit.routes.hello', 'true', '"api"'],
            'a list of routes' => ["    routes: [api]\n    policies: { api: $policy }", 'redis_rate_limit.routes', 'route name'],
            'a name that no argument can have' => ["    policies: { 2024: $policy }", 'redis_rate_limit.policies.2024', '2024', 'letter'],
            'timeout beside a URL of the environment' => ["    url: '%env(REDIS_URL)%'\n    timeout: soon", 'redis_rate_limit.timeout', 'soon', 'seconds'],
            'negative timeout beside it' => ["    url: '%env(REDIS_URL)%'\n    timeout: -1", 'redis_rate_limit.timeout', '-1'],
            'empty prefix beside it' => ["    url: '%env(REDIS_URL)%'\n    prefix: ''", 'redis_rate_limit.prefix'],
            'url beside a timeout of the environment' => ["    url: http://localhost\n    timeout: '%env(TIMEOUT)%'", 'redis_rate_limit.url', 'http'],
            'algorithm beside a limit of the environment' => ["    policies: { api: { policy: fixed_wndow, limit: '%env(int:LIMIT)%', interval: 60 } }", 'redis_rate_limit.policies.api', 'fixed_wndow'],
            'interval beside it' => ["    policies: { api: { policy: fixed_window, limit: '%env(int:LIMIT)%', interval: 1 month } }", 'redis_rate_limit.policies.api', '1 month'],
            'failure rule beside it' => ["    policies: { api: { policy: fixed_window, limit: '%env(int:LIMIT)%', interval: 60, on_failure: maybe } }", 'redis_rate_limit.policies.api', 'maybe'],
            'amount beside an interval of the environment' => ["    policies: { api: { policy: token_bucket, limit: 5, rate: { amount: many, interval: '%env(INTERVAL)%' } } }", 'redis_rate_limit.policies.api', 'many'],
            'limit beside a failure rule of the environment' => ["    on_failure: '%env(ON_FAILURE)%'\n    policies: { api: { policy: fixed_window, limit: 0, interval: 60 } }", 'redis_rate_limit.policies.api', 'limit'],
            'word beside a flag of the environment' => ["    policies: { api: { policy: fixed_window, limit: 5, interval: 60, shadow: '%env(bool:FLAG)%', audit: true } }", 'redis_rate_limit.policies.api', 'audit'],
            'failure rule beside an algorithm of the environment' => ["    policies: { api: { policy: '%env(ALGO)%', limit: 5, interval: 60, on_failure: maybe } }", 'redis_rate_limit.policies.api', 'maybe'],
            'member beside one of the environment' => ["    policies: { api: { policy: compound, limiters: { a: { policy: '%env(ALGO)%', limit: '%env(LIMIT)%' }, b: { policy: fixed_window, limt: 5, interval: 60 } } } }", 'redis_rate_limit.policies.api', 'limt'],
            'a name of a member from the environment' => ["    policies: { api: { policy: compound, limiters: ['%env(MEMBER)%'] } }", 'redis_rate_limit.policies.api.limiters', 'names of policies'],
            'members from the environment' => ["    policies: { api: { policy: compound, limiters: '%env(json:MEMBERS)%' } }", 'redis_rate_limit.policies.api.limiters', 'names of policies'],
            'a switch by the environment' => ["    enabled: '%env(bool:LIMITS)%'", 'redis_rate_limit.enabled', 'true or false'],
            'tenant' => ['    tenant: usr', 'redis_rate_limit.tenant', 'usr', 'attribute', 'user', 'api_key', 'ip', 'service'],
        ];
    }

    /** @dataProvider wrongAttributes */
    #[DataProvider('wrongAttributes')]
    public function testAWrongAttributeOfAControllerFailsTheBuild(string $class, string $arguments, string ...$words): void
    {
        self::declare($class, $arguments);
        $this->expectException(InvalidConfigurationException::class);
        $this->expectExceptionMessageMatches('/' . implode('.*', array_map('preg_quote', ["Invalid #[RateLimited] of Controllers\\$class", ...$words])) . '/s');

        $this->withController($class)->boot();
    }

    public static function wrongAttributes(): array
    {
        return [
            'a policy' => ['OfPolicy', "'aip'", '::page()', 'no rate limit policy "aip"', 'known are "api", "export", "both", "many"'],
            'a tenant' => ['OfTenant', "'api', tenant: 'usre'", '::page()', '"usre" is neither a built-in tenant resolver'],
            'a cost' => ['OfCost', "'export', cost: 11", '::page()', 'the cost is 11, and the policy "export" never holds more than 10'],
            'a cost of a compound' => ['OfMember', "'both', cost: 3", '::page()', 'the cost is 3, and the policy "both" never holds more than 2'],
            'no cost' => ['OfNothing', "'api', cost: 0", '::page()', 'must be at least 1'],
        ];
    }

    public function testAWrongAttributeOfAControllersClassFailsTheBuildThoughAParentDefinitionNamesTheClass(): void
    {
        eval('namespace Controllers; #[\\' . RateLimited::class . '("aip")] class Named {}');
        $this->expectException(InvalidConfigurationException::class);
        $this->expectExceptionMessage('Invalid #[RateLimited] of Controllers\Named: There is no rate limit policy "aip"');

        $this->withController('Named', 'app.parent: { class: Controllers\Named, abstract: true }', '{ parent: app.parent, tags: [controller.service_arguments] }')->boot();
    }

    /** The last cost may fit: its policy's limit is the environment's. */
    public function testWhatAnAttributeMaySayIsNoMistake(): void
    {
        self::declare('Right', "'export', cost: 10", "'api', tenant: 'attribute:team'", "'both', tenant: '@" . HeaderTenant::class . "', cost: 2", "'many', cost: 1000");
        $application = $this->withController('Right');
        $application->boot();

        self::assertTrue($application->getContainer()->has('kernel'));
    }

    public function testAttributesMayBeWrongWhereThereAreNoLimits(): void
    {
        self::declare('Unasked', "'aip'");
        $application = $this->withController('Unasked', settings: 'enabled: false');
        $application->boot();

        self::assertTrue($application->getContainer()->has('kernel'));
    }

    /** A controller's page with these attributes. */
    private static function declare(string $class, string ...$arguments): void
    {
        $attributes = array_map(static fn (string $list): string => '#[\\' . RateLimited::class . "($list)]\n", $arguments);
        eval("namespace Controllers; class $class {\n" . implode($attributes) . 'public function page() {} }');
    }

    private function withController(string $class, string $besides = '', ?string $definition = null, string $settings = ''): Application
    {
        $definition ??= "{ class: Controllers\\$class, tags: [controller.service_arguments] }";

        return $this->limited("    $settings", self::POLICIES . <<<YAML

                    both: { policy: compound, limiters: { few: { policy: fixed_window, limit: 2, interval: 60 }, more: { policy: fixed_window, limit: 9, interval: 60 } } }
                    many: { policy: fixed_window, limit: '%env(int:LIMIT)%', interval: 60 }
            services:
                app.page: $definition
                $besides
            YAML);
    }

    /**
     * @testWith ["{ policy: token_bucket, limit: 1000000, rate: { amount: '%env(int:A)%', interval: '1 day' } }"]
     *           ["{ policy: leaky_bucket, limit: 100000, rate: { amount: '%env(int:A)%', interval: '30 days' } }"]
     *           ["{ policy: sliding_log, limit: '%env(int:A)%', interval: '1 day' }"]
     *           ["{ policy: compound, limiters: { a: { policy: token_bucket, limit: 5, rate: '%env(json:A)%' } } }"]
     */
    #[TestWith(["{ policy: token_bucket, limit: 1000000, rate: { amount: '%env(int:A)%', interval: '1 day' } }"])]
    #[TestWith(["{ policy: leaky_bucket, limit: 100000, rate: { amount: '%env(int:A)%', interval: '30 days' } }"])]
    #[TestWith(["{ policy: sliding_log, limit: '%env(int:A)%', interval: '1 day' }"])]
    #[TestWith(["{ policy: compound, limiters: { a: { policy: token_bucket, limit: 5, rate: '%env(json:A)%' } } }"])]
    public function testWhatTheEnvironmentCanMakeRightIsNoMistake(string $policy): void
    {
        $application = $this->application("redis_rate_limit:\n    policies: { api: $policy }");
        $application->boot();

        self::assertTrue($application->getContainer()->has('kernel'));
    }

    public function testAPrefixMayBeANumber(): void
    {
        $application = $this->limited("    prefix: 7\n    default: v2", '    policies: { v2: { policy: fixed_window, limit: 5, interval: 60 } }');

        self::request($application, '/hello');

        self::assertSame(['7:v2:ip:127.0.0.1:global'], self::$redis->keys());
    }

    /** As YAML has to write it, since %name% is a parameter; in a key the sign is encoded. */
    public function testADoubledPercentSignIsOne(): void
    {
        $url = strtr(self::$redis->url(), ['%' => '%%', '.sock' => '%%2Esock']);
        $application = $this->application("redis_rate_limit:\n    url: '$url'\n    prefix: 'a%%b'\n    default: api\n" . self::POLICIES);

        self::assertRemaining(59, self::request($application, '/hello'));
        self::assertSame(['a%25b:api:ip:127.0.0.1:global'], self::$redis->keys());
    }

    public function testEveryScalarMayComeFromTheEnvironment(): void
    {
        $_ENV += ['TIMEOUT' => '10', 'PREFIX' => 'app', 'ON_FAILURE' => 'closed', 'HEADERS' => 'both', 'DEFAULT' => 'api', 'TENANT' => 'ip', 'ROUTE' => 'log',
            'ALGORITHM' => 'token_bucket', 'LIMIT' => '7', 'AMOUNT' => '7', 'INTERVAL' => '1 minute', 'FLAG' => 'true', 'MEMBER' => '3'];
        $application = $this->application(<<<'YAML'
            redis_rate_limit:
                url: '%env(REDIS_URL)%'
                timeout: '%env(TIMEOUT)%'
                prefix: '%env(PREFIX)%'
                on_failure: '%env(ON_FAILURE)%'
                headers: '%env(HEADERS)%'
                default: '%env(DEFAULT)%'
                tenant: ['%env(TENANT)%']
                routes: { parent: '%env(ROUTE)%', login: [both] }
                policies:
                    api: { policy: '%env(ALGORITHM)%', limit: '%env(int:LIMIT)%', rate: { amount: '%env(AMOUNT)%', interval: '%env(INTERVAL)%' } }
                    log: { policy: sliding_log, limit: '%env(LIMIT)%', interval: '%env(INTERVAL)%', audit: '%env(FLAG)%', shadow: '%env(bool:FLAG)%' }
                    both: { policy: compound, limiters: { few: { policy: fixed_window, limit: '%env(MEMBER)%', interval: 60 } } }
            YAML);

        $response = self::request($application, '/hello');

        self::assertSame('7', $response->headers->get('X-RateLimit-Limit'));
        self::assertTrue($response->headers->has('RateLimit'));
        self::assertSame('7', self::request($application, '/parent')->headers->get('X-RateLimit-Limit'));
        self::assertSame('3', self::request($application, '/login')->headers->get('X-RateLimit-Limit'));
        self::assertSame(['app:api:ip:127.0.0.1:global', 'app:log:ip:127.0.0.1:global', 'app:{both:ip:127.0.0.1:global}:few'], self::$redis->keys());
    }

    public function testRoutesAndMembersMayBeNamedByTheEnvironment(): void
    {
        $_ENV += ['ROUTE_NAME' => 'parent', 'PATH_PREFIX' => 'hel', 'MEMBER_NAME' => 'few'];
        $application = $this->application(<<<'YAML'
            redis_rate_limit:
                url: '%env(REDIS_URL)%'
                routes: { '%env(ROUTE_NAME)%': both, '/%env(PATH_PREFIX)%*': api }
                policies:
                    api: { policy: fixed_window, limit: 7, interval: 60 }
                    both: { policy: compound, limiters: { '%env(MEMBER_NAME)%': { policy: fixed_window, limit: 3, interval: 60 } } }
            YAML);

        self::assertRemaining(6, self::request($application, '/hello'));
        self::assertRemaining(2, self::request($application, '/parent'));
        self::assertSame(['rl:api:ip:127.0.0.1:global', 'rl:{both:ip:127.0.0.1:global}:few'], self::$redis->keys());
    }

    public function testEmptyHeadersOfTheEnvironmentAreTheUsualOnes(): void
    {
        $_ENV['NO_HEADERS'] = '';

        self::assertRemaining(59, self::request($this->limited("    headers: '%env(NO_HEADERS)%'\n    default: api"), '/hello'));
    }

    /** @dataProvider wrongValues */
    #[DataProvider('wrongValues')]
    public function testAWrongValueOfTheEnvironmentFailsWhenItIsUsed(string $yaml, string $value, string $exception): void
    {
        $_ENV['WRONG'] = $value;
        $application = $this->application("redis_rate_limit:\n$yaml");
        $application->boot();

        $this->expectException($exception);
        $application->handle(Request::create('/hello'), catch: false);
    }

    public static function wrongValues(): array
    {
        $api = '    policies: { api: { policy: fixed_window, limit: 5, interval: 60 } }';

        return [
            'policy' => ["    default: api\n    policies: { api: { policy: fixed_window, limit: '%env(WRONG)%', interval: 60 } }", 'many', InvalidPolicy::class],
            'default' => ["    default: '%env(WRONG)%'\n$api", 'apy', UnknownPolicy::class],
            'url' => ["    url: '%env(WRONG)%'\n    default: api\n$api", 'http://localhost', InvalidConfiguration::class],
            'tenant' => ["    tenant: '%env(WRONG)%'\n    default: api\n$api", 'usr', \InvalidArgumentException::class],
        ];
    }

    /**
     * @testWith ["url", "http://localhost", "redis_rate_limit.url (WRONG) cannot be used: a Redis URL begins with redis://"]
     *           ["url", "redis:///run/redis.sock", "redis_rate_limit.url (WRONG) cannot be used: a Redis URL names a host"]
     *           ["timeout", "soon", "redis_rate_limit.timeout (WRONG) cannot be used: \"soon\" is not a timeout"]
     *           ["timeout", "-1", "redis_rate_limit.timeout (WRONG) cannot be used: "]
     *           ["prefix", "", "redis_rate_limit.prefix (WRONG) cannot be used: "]
     */
    #[TestWith(['url', 'http://localhost', 'redis_rate_limit.url (WRONG) cannot be used: a Redis URL begins with redis://'])]
    #[TestWith(['url', 'redis:///run/redis.sock', 'redis_rate_limit.url (WRONG) cannot be used: a Redis URL names a host'])]
    #[TestWith(['timeout', 'soon', 'redis_rate_limit.timeout (WRONG) cannot be used: "soon" is not a timeout'])]
    #[TestWith(['timeout', '-1', 'redis_rate_limit.timeout (WRONG) cannot be used: '])]
    #[TestWith(['prefix', '', 'redis_rate_limit.prefix (WRONG) cannot be used: '])]
    public function testAWrongValueIsNamedByItsKeyAndItsVariable(string $key, string $value, string $message): void
    {
        $_ENV['WRONG'] = $value;
        $application = $this->application("redis_rate_limit:\n    $key: '%env(WRONG)%'\n    default: api\n" . self::POLICIES);

        $this->expectException(InvalidConfiguration::class);
        $this->expectExceptionMessage($message);
        $application->handle(Request::create('/hello'), catch: false);
    }

    public function testTheTimeoutIsThatOfADecision(): void
    {
        $directory = new TemporaryDirectory('ratelimit-silent');
        $silent = stream_socket_server("unix://{$directory->path}/redis.sock");
        $_ENV['REDIS_URL'] = "unix://{$directory->path}/redis.sock";
        $application = $this->limited("    default: api\n    timeout: 0.02");
        self::assertSame(200, self::request($application, '/hello')->getStatusCode());
        fclose($silent);
        [$degraded] = $application->getContainer()->get(Listener::class)->degraded;
        self::assertStringContainsString('no answer within 20 ms', $degraded->decision->error);
    }

    public function testARouteMayBeNamedAsAWordOfPoliciesAndAPolicyToo(): void
    {
        $policy = '{ policy: fixed_window, limit: 7, interval: 60 }';
        $application = $this->limited("    default: policies\n    routes: { policy: policy }", "    policies: { policies: $policy, policy: $policy }");
        self::assertRemaining(6, self::request($application, '/hello'));
        $request = Request::create('/hello');
        $request->attributes->add(['_route' => 'policy', '_controller' => Controller::class . '::hello']);
        $application->handle($request);

        self::assertSame(['rl:policies:ip:127.0.0.1:global', 'rl:policy:ip:127.0.0.1:global'], self::$redis->keys());
    }

    public function testAnEnvironmentsRoutesAndTenantsReplaceThoseOfAll(): void
    {
        $application = $this->limited("    routes: { hello: [api, export], parent: api, tenant: api }\n    tenant: [attribute, ip]", self::POLICIES . <<<'YAML'

            when@test:
                redis_rate_limit: { routes: { hello: api }, tenant: [user, ip] }
            YAML);
        self::assertSame('60', self::request($application, '/hello')->headers->get('X-RateLimit-Limit'));
        self::assertSame('60', self::request($application, '/parent')->headers->get('X-RateLimit-Limit'));
        self::request($application, '/t/acme');
        self::assertSame(['rl:api:ip:127.0.0.1:global'], self::$redis->keys());
    }

    public function testAPolicyThatTheEnvironmentTurnsOffNeedsNoOtherWords(): void
    {
        $_ENV['ALGO'] = 'no_limit';
        $application = $this->limited('    default: api', "    policies: { api: { policy: '%env(ALGO)%', limit: 5, interval: 60, on_failure: closed } }");

        self::assertSame(200, self::request($application, '/hello')->getStatusCode());
        self::assertSame([], self::$redis->keys());
    }

    public function testWhatIsNotEnabledIsNotThere(): void
    {
        self::assertRemaining(59, self::request($this->limited("    enabled: true\n    default: api"), '/hello'));
        $disabled = $this->limited("    enabled: false\n    default: api");

        self::assertRemaining(null, self::request($disabled, '/hello'));
        self::assertSame(200, self::request($disabled, '/limited')->getStatusCode());
        self::assertSame(['rl:api:ip:127.0.0.1:global'], self::$redis->keys());
    }

    public function testPoliciesMayStandUnderLimitersAndARateIsOfOneTokenWhereItSaysNoAmount(): void
    {
        $application = $this->application(<<<'YAML'
            redis_rate_limit:
                url: '%env(REDIS_URL)%'
                limiters:
                    slow: { policy: token_bucket, limit: 5, rate: { interval: '15 minutes' } }
                default: slow
            YAML);
        $response = self::request($application, '/hello');
        self::assertSame('5', $response->headers->get('X-RateLimit-Limit'));
        self::assertSame((string) (self::T0 + 900), $response->headers->get('X-RateLimit-Reset'));
    }

    public function testTheConfigurationOfFrameworkRateLimiterIsUnderstood(): void
    {
        $application = $this->application(<<<'YAML'
            redis_rate_limit:
                enabled: true
                url: '%env(REDIS_URL)%'
                anonymous_api: { policy: fixed_window, limit: 100, interval: '60 minutes', lock_factory: null, cache_pool: cache.app }
                authenticated_api: { policy: token_bucket, limit: 5000, rate: { interval: '15 minutes', amount: 500 } }
                lenient: { policy: no_limit, limit: 1 }
                contact: { policy: compound, limiters: [anonymous_api, authenticated_api] }
                default: contact
            YAML);

        self::assertSame('100', self::request($application, '/hello')->headers->get('X-RateLimit-Limit'));
        self::assertSame(
            ['rl:{contact:ip:127.0.0.1:global}:anonymous_api', 'rl:{contact:ip:127.0.0.1:global}:authenticated_api'],
            self::$redis->keys(),
        );
    }
}
