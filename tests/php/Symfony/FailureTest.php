<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use PHPUnit\Framework\Attributes\TestWith;
use RedisRateLimit\Policy;
use RedisRateLimit\Tenant\Secret;
use RedisRateLimit\Testing\FakeDecision;
use RedisRateLimit\Tests\Support\RedisServer;
use RedisRateLimit\Tests\Symfony\App\Application;
use RedisRateLimit\Tests\Symfony\App\Listener;
use RedisRateLimit\Tests\Symfony\App\RecordingLogger;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\Security\Core\Exception\AccessDeniedException;
use Symfony\Component\Security\Core\Exception\AuthenticationException;

/** What the application hears of refusals and of an absent Redis. */
final class FailureTest extends SymfonyTestCase
{
    public function testAFailClosedPolicyAnswers503WithoutRedis(): void
    {
        $application = $this->withoutRedis('closed');

        $response = self::request($application, '/hello');

        self::assertSame(503, $response->getStatusCode());
        self::assertStringContainsString('no-store', $response->headers->get('Cache-Control'));
        self::assertSame('rate_limited', json_decode($response->getContent(), true)['error']);
        self::assertFalse($response->headers->has('X-RateLimit-Remaining'));
    }

    public function testAFailOpenPolicyLetsPassWithoutInventedHeaders(): void
    {
        $application = $this->withoutRedis('open');

        $response = self::request($application, '/hello');

        self::assertSame(200, $response->getStatusCode());
        self::assertFalse($response->headers->has('X-RateLimit-Remaining'));
    }

    public function testEachDegradedDecisionIsAnEventAndTheOutageOneWarning(): void
    {
        $application = $this->withoutRedis('open');
        for ($i = 0; $i < 3; $i++) {
            self::request($application, '/hello');
        }
        $degraded = $application->getContainer()->get(Listener::class)->degraded;

        self::assertCount(3, $degraded);
        self::assertTrue($degraded[0]->decision->degraded);
        self::assertSame('ip:127.0.0.1', $degraded[0]->tenant);
        self::assertSame('global', $degraded[0]->scope);
        self::assertCount(1, $application->getContainer()->get(RecordingLogger::class)->messages('warning'));
    }

    public function testARefusalIsAnEventAndALogRecordWithTheTenantHashed(): void
    {
        $application = $this->limited('    default: export');
        for ($i = 0; $i < 11; $i++) {
            self::request($application, '/hello');
        }
        $exceeded = $application->getContainer()->get(Listener::class)->exceeded;
        $records = $application->getContainer()->get(RecordingLogger::class)->records;
        $refusals = array_values(array_filter($records, static fn (array $record): bool => $record['level'] === 'info' && isset($record['context']['tenant'])));

        self::assertCount(1, $exceeded);
        self::assertSame('export', $exceeded[0]->decision->policy);
        self::assertSame(['ip:127.0.0.1', 'global'], [$exceeded[0]->tenant, $exceeded[0]->scope]);
        self::assertCount(1, $refusals);
        self::assertSame(Secret::hash('ip:127.0.0.1'), $refusals[0]['context']['tenant']);
        self::assertStringNotContainsString('127.0.0.1', json_encode($refusals));
    }

    public function testWhatEnsureAllowedThrowsIsARefusal(): void
    {
        $response = self::request($this->limited('    default: api'), '/guarded');

        self::assertSame(429, $response->getStatusCode());
        self::assertSame('10', $response->headers->get('X-RateLimit-Limit'));
        self::assertSame('2', $response->headers->get('Retry-After'));
        self::assertSame(2, json_decode($response->getContent(), true)['retry_after']);
    }

    /**
     * @testWith ["/template"]
     *           ["/fragment"]
     */
    #[TestWith(['/template'])]
    #[TestWith(['/fragment'])]
    public function testWhatEnsureAllowedThrowsInATemplateOrAFragmentIsARefusal(string $path): void
    {
        $application = $this->limited('    default: api', full: true);

        $response = self::request($application, $path);

        self::assertSame(429, $response->getStatusCode());
        self::assertSame('10', $response->headers->get('X-RateLimit-Limit'));
        self::assertSame(2, json_decode($response->getContent(), true)['retry_after']);
        self::assertCount(1, $application->getContainer()->get(Listener::class)->exceeded);
    }

    public function testAPageThatDoesWithoutARefusedFragmentHasItsOwnHeaders(): void
    {
        $application = $this->limited('    default: api', full: true);

        $response = self::request($application, '/optional');

        self::assertSame([200, 'page '], [$response->getStatusCode(), $response->getContent()]);
        self::assertSame(['60', '59'], [$response->headers->get('X-RateLimit-Limit'), $response->headers->get('X-RateLimit-Remaining')]);
        self::assertFalse($response->headers->has('Retry-After'));
        self::assertCount(1, $application->getContainer()->get(Listener::class)->exceeded);
    }

    public function testAnHttpErrorThatTheApplicationMakesOfARefusalStays(): void
    {
        $response = self::request($this->limited('    default: api'), '/unavailable');

        self::assertSame([503, '7'], [$response->getStatusCode(), $response->headers->get('Retry-After')]);
    }

    public function testWhatAFirewallAnswersToAnErrorMadeOfARefusalStays(): void
    {
        $application = $this->limited('', full: true);
        foreach ([403 => AccessDeniedException::class, 302 => AuthenticationException::class] as $status => $error) {
            $request = Request::create('/x', server: ['PHP_AUTH_USER' => 'bob', 'PHP_AUTH_PW' => 'right']);
            $request->attributes->set('_controller', static function () use ($error): never {
                try {
                    FakeDecision::of(Policy::fixedWindow('own', 1, 60), false, 0)->ensureAllowed();
                } catch (\Exception $exception) {
                    throw $error === AccessDeniedException::class ? new $error('no', $exception) : new $error('no', 0, $exception);
                }
            });
            self::assertSame($status, $application->handle($request)->getStatusCode());
        }
        self::assertSame([], $application->getContainer()->get(Listener::class)->exceeded);
    }

    public function testAListenerReplacesTheResponseToWhatEnsureAllowedThrowsToo(): void
    {
        $application = $this->limited('    default: api');
        $application->boot();
        $listener = $application->getContainer()->get(Listener::class);
        foreach ([420, 200] as $status) {
            $listener->answer = new Response('Slow down.', $status);

            $response = self::request($application, '/guarded');

            self::assertSame([$status, 'Slow down.', '2'], [$response->getStatusCode(), $response->getContent(), $response->headers->get('Retry-After')]);
        }
        self::assertCount(2, $listener->exceeded);
        self::assertNull($listener->exceeded[0]->tenant);
    }

    public function testAListenerReplacesTheResponseAndTheHeadersStay(): void
    {
        $application = $this->limited('    default: export');
        $application->boot();
        for ($i = 0; $i < 10; $i++) {
            self::request($application, '/hello');
        }
        $application->getContainer()->get(Listener::class)->answer = new Response('Slow down.', 420);

        $response = self::request($application, '/hello');

        self::assertSame([420, 'Slow down.'], [$response->getStatusCode(), $response->getContent()]);
        self::assertSame('3600', $response->headers->get('Retry-After'));
    }

    private function withoutRedis(string $rule): Application
    {
        // Whatever outage an earlier test left behind ends here.
        $this->limiter->consume(Policy::fixedWindow('ends', 1, 1), 'alice');
        $gone = new RedisServer();
        $gone->stop();
        $_ENV['REDIS_URL'] = $gone->url();

        return $this->limited("    default: api\n    on_failure: $rule");
    }
}
