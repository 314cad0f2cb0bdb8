<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use RedisRateLimit\NativeLimiter;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Symfony\Limiter\LoginRateLimiter;
use RedisRateLimit\Symfony\Limiter\RedisLimiterFactory;
use RedisRateLimit\Tenant\Secret;
use RedisRateLimit\Tests\Support\MarkdownBlock;
use RedisRateLimit\Tests\Symfony\App\Application;
use RedisRateLimit\Tests\Symfony\App\RecordingLogger;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpKernel\Kernel;
use Symfony\Component\Security\Core\Exception\BadCredentialsException;
use Symfony\Component\Security\Core\Exception\TooManyLoginAttemptsAuthenticationException;
use Symfony\Component\Security\Http\RateLimiter\DefaultLoginRateLimiter;

/** The login form of a real security configuration, throttled as docs/symfony.md writes it: 5 attempts per name and 25 in all in 15 minutes. */
final class LoginThrottlingTest extends SymfonyTestCase
{
    private const WINDOW = 15 * 60;

    private Application $application;

    protected function setUp(): void
    {
        parent::setUp();
        $this->application = $this->application(self::yaml(), full: true);
    }

    public function testFiveWrongPasswordsShutOutTheRightOneUntilTheWindowPasses(): void
    {
        for ($minute = 0; $minute < 5; $minute++) {
            $this->clockAt($minute * 60);
            self::assertSame(BadCredentialsException::class, $this->logIn('wrong'));
        }
        self::assertSame(TooManyLoginAttemptsAuthenticationException::class, $this->logIn('wrong'));
        self::assertSame(TooManyLoginAttemptsAuthenticationException::class, $this->logIn('right'));

        $this->clockAt(self::WINDOW - 0.000001);
        self::assertSame(TooManyLoginAttemptsAuthenticationException::class, $this->logIn('right'));

        $this->clockAt(self::WINDOW);
        self::assertNull($this->logIn('right'));
    }

    public function testAnotherAddressAndAnotherNameAreNotShutOut(): void
    {
        for ($i = 0; $i < 5; $i++) {
            $this->logIn('wrong');
        }

        self::assertSame(BadCredentialsException::class, $this->logIn('wrong', name: 'alice'));
        self::assertNull($this->logIn('right', address: '192.0.2.1'));
        self::assertSame(TooManyLoginAttemptsAuthenticationException::class, $this->logIn('right', name: 'BOB'));
    }

    public function testAnotherAddressOfTheSameIpv6NetworkIsShutOut(): void
    {
        for ($i = 1; $i <= 5; $i++) {
            self::assertSame(BadCredentialsException::class, $this->logIn('wrong', address: "2001:db8:1:2::$i"));
        }
        self::assertSame(TooManyLoginAttemptsAuthenticationException::class, $this->logIn('right', address: '2001:db8:1:2::6'));
        self::assertNull($this->logIn('right', address: '2001:db8:1:3::1'));
    }

    public function testNamesOfUnreadableBytesAreTheirOwn(): void
    {
        $logins = new LoginRateLimiter(null, new RedisLimiterFactory(new NativeLimiter($this->limiter), Policy::slidingLog('login', 5, 600)));
        foreach (["\xfe", "\xff"] as $name) {
            $request = Request::create('/login');
            $request->attributes->set('_security.last_username', $name);
            $logins->consume($request);
        }
        self::assertCount(2, self::$redis->keys());
    }

    public function testASuccessForgetsTheFailures(): void
    {
        for ($i = 0; $i < 4; $i++) {
            $this->logIn('wrong');
        }
        self::assertNull($this->logIn('right'));
        for ($i = 0; $i < 5; $i++) {
            self::assertSame(BadCredentialsException::class, $this->logIn('wrong'));
        }
    }

    public function testLoginsSucceedWhileRedisIsAwayWithOneWarningInAll(): void
    {
        self::assertNull($this->logIn('right'));
        self::$redis->stop();
        try {
            self::assertNull($this->logIn('right'));
            self::assertNull($this->logIn('right', name: 'bob', address: '192.0.2.1'));
        } finally {
            self::$redis->restart();
        }
        $logger = $this->application->getContainer()->get(RecordingLogger::class);

        self::assertCount(1, $logger->messages('warning'));
    }

    /** Symfony asks for it after a success; from 6.4 only if it saw failures before. */
    public function testFailuresThatCannotBeForgottenAreNoWarning(): void
    {
        $logger = new RecordingLogger();
        $away = new NativeLimiter(new RateLimiter('unix:///nowhere.sock'), $logger);
        $logins = new LoginRateLimiter(null, new RedisLimiterFactory($away, Policy::slidingLog('login', 5, 600)), logger: $logger);

        $logins->reset(Request::create('/login'));

        self::assertSame([], $logger->messages('warning'));
        self::assertCount(1, preg_grep('/could not be forgotten/', $logger->messages('notice')));
    }

    public function testAnAddressIsLimitedOverAllNamesToo(): void
    {
        $this->application = $this->application(self::yamlWithAnAddressLimit(), full: true);
        for ($i = 0; $i < 25; $i++) {
            self::assertSame(BadCredentialsException::class, $this->logIn('wrong', name: "user$i"));
        }

        self::assertSame(TooManyLoginAttemptsAuthenticationException::class, $this->logIn('right'));
        self::assertNull($this->logIn('right', address: '192.0.2.1'));
        $this->clockAt(self::WINDOW);
        self::assertNull($this->logIn('right'));
    }

    public function testWhoLogsInBetweenGetsNoFurtherAttemptsAtOtherNames(): void
    {
        $this->application = $this->application(self::yamlWithAnAddressLimit(), full: true);
        self::assertNull($this->logIn('right'));
        $before = $this->guesses();
        self::$redis->command('FLUSHALL');
        $this->logIn('right');
        for ($i = 0; $i < 10; $i++) {
            $this->logIn('wrong', name: "other$i");
        }
        $this->logIn('wrong');
        $this->logIn('right');

        // Symfony 5.4 counts logins that succeed as well.
        self::assertSame($before - (Kernel::VERSION_ID < 60000 ? 12 : 11), $this->guesses());
    }

    /** Whoever changes nothing but the class keeps who is limited: two wrong passwords of alice do not shut out bob. */
    public function testTheArgumentsAreThoseOfSymfonysOwn(): void
    {
        $this->application = $this->application(<<<'YAML'
            redis_rate_limit:
                policies:
                    login: { policy: sliding_log, limit: 2, interval: 600 }
                    address: { policy: sliding_log, limit: 7, interval: 600 }
            services:
                logins:
                    class: RedisRateLimit\Symfony\Limiter\LoginRateLimiter
                    arguments: ['@limiter.address', '@limiter.login', '%kernel.secret%']
            security:
                firewalls: { main: { login_throttling: { limiter: logins } } }
            YAML, full: true);
        self::assertSame(BadCredentialsException::class, $this->logIn('wrong', name: 'alice'));
        self::assertSame(BadCredentialsException::class, $this->logIn('wrong', name: 'alice'));
        self::assertSame(TooManyLoginAttemptsAuthenticationException::class, $this->logIn('wrong', name: 'alice'));
        self::assertNull($this->logIn('right'));
        self::assertSame(self::names(DefaultLoginRateLimiter::class, 2), self::names(LoginRateLimiter::class, 2));
    }

    public function testNoUserNameReachesRedis(): void
    {
        $this->logIn('wrong', name: 'My-Password');

        self::assertSame(['rl:login:login:' . Secret::hash('my-password') . ':127.0.0.1:global'], self::$redis->keys());
    }

    /** Why docs/security.md sends logins here: the firewall answers them before limits of routes are asked. */
    public function testLimitsOfRoutesNeverSeeALoginThatTheFirewallAnswers(): void
    {
        $api = "    default: api\n    policies:\n        api: { policy: fixed_window, limit: 5, interval: 600 }\n";
        $this->application = $this->application(str_replace("    policies:\n", $api, self::yaml()), full: true);
        $this->logIn('wrong');
        $this->logIn('right');
        self::assertSame([], preg_grep('/^rl:api:/', self::$redis->keys()));

        self::request($this->application, '/hello');
        self::assertCount(1, preg_grep('/^rl:api:/', self::$redis->keys()));
    }

    private static function yaml(): string
    {
        return MarkdownBlock::with('docs/symfony.md', 'yaml', 'redis_rate_limit.login.login');
    }

    private static function yamlWithAnAddressLimit(): string
    {
        return MarkdownBlock::with('docs/symfony.md', 'yaml', 'globalFactory');
    }

    /** @return int how many wrong names may be tried until the address is shut out */
    private function guesses(): int
    {
        for ($count = 0; $this->logIn('wrong', name: "user$count") === BadCredentialsException::class; $count++);

        return $count;
    }

    /** @return list<string> of the constructor's first arguments */
    private static function names(string $class, int $count): array
    {
        $parameters = (new \ReflectionMethod($class, '__construct'))->getParameters();

        return array_map(static fn (\ReflectionParameter $parameter): string => $parameter->getName(), array_slice($parameters, 0, $count));
    }

    /** @return ?class-string what the form refused with; null: logged in */
    private function logIn(string $password, string $name = 'bob', string $address = '127.0.0.1'): ?string
    {
        $request = Request::create('/login', 'POST', ['_username' => $name, '_password' => $password], [], [], ['REMOTE_ADDR' => $address]);
        $response = $this->application->handle($request);
        $this->application->terminate($request, $response);
        $location = parse_url($response->headers->get('Location'), PHP_URL_PATH);

        return $location === '/login' ? $request->getSession()->get('_security.last_error')::class : null;
    }
}
