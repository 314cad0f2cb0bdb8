<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use RedisRateLimit\Tenant\Tenant;
use RedisRateLimit\Tests\Support\MarkdownBlock;
use Symfony\Bundle\FrameworkBundle\Console\Application as Console;
use Symfony\Component\Console\Input\ArrayInput;
use Symfony\Component\Console\Output\BufferedOutput;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpKernel\Kernel;
use Symfony\Component\RateLimiter\LimiterInterface;
use Symfony\Component\Security\Core\Exception\BadCredentialsException;
use Symfony\Component\Security\Core\Exception\TooManyLoginAttemptsAuthenticationException;

/** The configuration of docs/migration.md, before and after: the same service says the same. */
final class MigrationTest extends SymfonyTestCase
{
    /** Private services are removed where nobody asks for them. */
    private const ASK = "services: { asked: { alias: limiter.api, public: true } }\n";

    public function testTheServiceKeepsItsNameAndItsAnswers(): void
    {
        $before = $this->answers(self::before());
        self::assertSame([], self::$redis->keys());

        self::assertSame($before, $this->answers(self::after()));
        self::assertSame([[true, 2], [true, 1], [true, 0], [false, 0]], $before);
        self::assertSame(['rl:api:user:42:global'], self::$redis->keys());
    }

    public function testTheControllerAnswersTheSame(): void
    {
        eval('namespace RedisRateLimit\Tests\Symfony\Before; ' . MarkdownBlock::with('docs/migration.md', 'php', 'RateLimiterFactory $apiLimiter'));
        eval('namespace RedisRateLimit\Tests\Symfony\After; ' . MarkdownBlock::with('docs/migration.md', 'php', ' LimiterFactory $apiLimiter'));
        $before = $this->statuses(self::before(), Before\ApiController::class);
        self::assertSame([], self::$redis->keys());

        self::assertSame($before, $this->statuses(self::after(), After\ApiController::class));
        self::assertSame([200, 200, 200, 429], $before);
        self::assertSame(['rl:api:127.0.0.1:global'], self::$redis->keys());
    }

    public function testTheBudgetOfARouteIsWrittenAsATenant(): void
    {
        $application = $this->application(self::after() . "    default: api\n" . self::ASK);
        self::assertRemaining(2, self::request($application, '/hello'));

        self::assertSame(1, $application->getContainer()->get('asked')->create(Tenant::ip('127.0.0.1'))->consume()->getRemainingTokens());
    }

    public function testLintContainerFindsTheTypeThatNoLongerFits(): void
    {
        $wired = "services: { wired: { class: RedisRateLimit\Tests\Symfony\App\SymfonyTypeHolder, arguments: ['@limiter.api'], public: true } }\n";
        self::assertSame(0, $this->lint(self::before() . $wired)[0]);
        [$code, $text] = $this->lint(self::after() . $wired);

        self::assertSame(1, $code);
        self::assertStringContainsString('RateLimiterFactory', $text);
    }

    public function testMoreThanTheLimitIsAnErrorOfEveryPolicy(): void
    {
        $windows = array_map(static fn (string $yaml): string => str_replace('policy: fixed_window', 'policy: sliding_window', $yaml), [self::before(), self::after()]);
        $answers = array_map(function (string $yaml): string {
            try {
                return $this->askedLimiter($yaml)->consume(4)->isAccepted() ? 'accepted' : 'refused';
            } catch (\InvalidArgumentException) {
                return 'error';
            }
        }, $windows);

        self::assertSame([Kernel::MAJOR_VERSION === 5 ? 'refused' : 'error', 'error'], $answers);
    }

    public function testTheMembersOfACompoundHaveBudgetsOfTheirOwn(): void
    {
        $application = $this->application(self::after() . "    all: { policy: compound, limiters: [api] }\nservices: { asked: { alias: limiter.api, public: true }, all: { alias: limiter.all, public: true } }\n");
        $application->boot();
        $application->getContainer()->get('asked')->create('user:42')->consume(3);

        self::assertSame(2, $application->getContainer()->get('all')->create('user:42')->consume()->getRemainingTokens());
    }

    /** Five wrong passwords of bob, then two of everyone's until the address is shut out. */
    public function testTheLoginsLimitsAreTheSame(): void
    {
        $before = $this->logIns(MarkdownBlock::with('docs/migration.md', 'yaml', 'max_attempts'));
        self::assertSame([], self::$redis->keys());

        self::assertSame($before, $this->logIns(MarkdownBlock::with('docs/migration.md', 'yaml', 'app.login_limiter')));
        // The refused sixth counts for the address.
        self::assertSame([...array_fill(0, 5, BadCredentialsException::class), TooManyLoginAttemptsAuthenticationException::class,
            ...array_fill(0, 19, BadCredentialsException::class), ...array_fill(0, 3, TooManyLoginAttemptsAuthenticationException::class)], $before);
    }

    private static function before(): string
    {
        return MarkdownBlock::with('docs/migration.md', 'yaml', 'framework:');
    }

    private static function after(): string
    {
        return MarkdownBlock::with('docs/migration.md', 'yaml', '%env(REDIS_URL)%');
    }

    /** @return list<int> of four requests to a controller's index() */
    private function statuses(string $yaml, string $controller): array
    {
        $application = $this->application($yaml . "services: { $controller: { public: true, tags: [controller.service_arguments] } }\n");

        return array_map(static function () use ($application, $controller): int {
            $request = Request::create('/');
            $request->attributes->set('_controller', "$controller::index");

            return $application->handle($request)->getStatusCode();
        }, range(1, 4));
    }

    /** @return list<class-string> what the login form refused each of 28 attempts with */
    private function logIns(string $yaml): array
    {
        $application = $this->application($yaml, full: true);

        return array_map(static function (int $attempt) use ($application): string {
            $name = $attempt <= 6 ? 'bob' : 'user' . intdiv($attempt, 2);
            $request = Request::create('/login', 'POST', ['_username' => $name, '_password' => 'wrong']);
            $response = $application->handle($request);
            $application->terminate($request, $response);

            return $request->getSession()->get('_security.last_error')::class;
        }, range(1, 28));
    }

    /** @return array{int, string} exit code, and what was written */
    private function lint(string $yaml): array
    {
        $output = new BufferedOutput();
        $console = new Console($this->application($yaml, full: true));

        return [$console->find('lint:container')->run(new ArrayInput([]), $output), $output->fetch()];
    }

    private function askedLimiter(string $yaml): LimiterInterface
    {
        $application = $this->application($yaml . self::ASK);
        $application->boot();

        return $application->getContainer()->get('asked')->create('user:42');
    }

    /** @return list<array{bool, int}> */
    private function answers(string $yaml): array
    {
        $limiter = $this->askedLimiter($yaml);
        $answers = [];
        for ($call = 1; $call <= 4; $call++) {
            $limit = $limiter->consume();
            $answers[] = [$limit->isAccepted(), $limit->getRemainingTokens()];
        }

        return $answers;
    }
}
