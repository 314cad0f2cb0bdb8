<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Tests\Support\Sleep;
use RedisRateLimit\Tests\Symfony\App\MessageHandler;
use Symfony\Component\Console\Tester\CommandTester;
use Symfony\Component\DependencyInjection\ContainerInterface;
use Symfony\Component\HttpClient\MockHttpClient;
use Symfony\Component\HttpKernel\Kernel;
use Symfony\Component\Messenger\Envelope;

/**
 * Messenger and HttpClient by `rate_limiter: NAME`, on any policy. Where Symfony's version does not know these words
 * yet, the calls that later versions make.
 */
final class ConsumersTest extends SymfonyTestCase
{
    protected function setUp(): void
    {
        parent::setUp();
        Sleep::by(self::$clock);
    }

    protected function tearDown(): void
    {
        Sleep::by(null);
        parent::tearDown();
    }

    /**
     * The Worker reserves where it is refused, and then consumes as well: its first message after a wait costs two.
     *
     * @dataProvider policies
     */
    #[DataProvider('policies')]
    public function testMessengersWorkerWaits(string $policy): void
    {
        $handledAt = Kernel::VERSION_ID >= 60200 ? $this->consumed($policy, 6) : $this->consumedAsByWorker($policy, 6);

        self::assertSame([0, 0, 0, 60, 60, 120], $handledAt);
    }

    /** @dataProvider policies */
    #[DataProvider('policies')]
    public function testHttpClientWaits(string $policy): void
    {
        $sentAt = Kernel::VERSION_ID >= 70100 ? $this->sent($policy, 7) : $this->sentAsByHttpClient($policy, 7);

        self::assertSame([0, 0, 0, 60, 60, 60, 120], $sentAt);
    }

    /** @return array<string, array{string}> of three a minute */
    public static function policies(): array
    {
        return [
            'fixed window' => ['{ policy: fixed_window, limit: 3, interval: 1 minute }'],
            'sliding log' => ['{ policy: sliding_log, limit: 3, interval: 1 minute }'],
            'compound' => ['{ policy: compound, limiters: [minute, hour] }'],
        ];
    }

    /** @return list<int> the seconds at which `messenger:consume` handled its messages */
    private function consumed(string $policy, int $messages): array
    {
        $container = $this->container($policy, 'messenger: { transports: { async: { dsn: "in-memory://", rate_limiter: export } } }', sprintf(<<<'YAML'
            transport: { alias: messenger.transport.async, public: true }
            command: { alias: console.command.messenger_consume_messages, public: true }
            handler: { class: %s, tags: [{ name: messenger.message_handler, handles: stdClass }] }
        YAML, MessageHandler::class));
        $handledAt = [];
        $message = (object) ['handle' => static function () use (&$handledAt): void {
            $handledAt[] = self::now();
        }];
        for ($number = 0; $number < $messages; $number++) {
            $container->get('transport')->send(new Envelope($message));
        }
        (new CommandTester($container->get('command')))->execute(['receivers' => ['async'], '--limit' => $messages]);

        return $handledAt;
    }

    /** @return list<int> */
    private function consumedAsByWorker(string $policy, int $messages): array
    {
        $factory = $this->container($policy)->get('asked');
        $handledAt = [];
        while (count($handledAt) < $messages) {
            $limiter = $factory->create();
            if (!$limiter->consume()->isAccepted()) {
                $limiter->reserve()->wait();
                $limiter->consume();
            }
            $handledAt[] = self::now();
        }

        return $handledAt;
    }

    /** @return list<int> the seconds at which HttpClient's requests came back */
    private function sent(string $policy, int $requests): array
    {
        $client = $this->container($policy, 'http_client: { default_options: { rate_limiter: export } }', sprintf(<<<'YAML'
            http_client.transport: { class: %s }
            client: { alias: http_client, public: true }
        YAML, MockHttpClient::class))->get('client');
        $sentAt = [];
        while (count($sentAt) < $requests) {
            self::assertSame(200, $client->request('GET', 'https://example.com/')->getStatusCode());
            $sentAt[] = self::now();
        }

        return $sentAt;
    }

    /** @return list<int> */
    private function sentAsByHttpClient(string $policy, int $requests): array
    {
        $limiter = $this->container($policy)->get('asked')->create();
        $sentAt = [];
        while (count($sentAt) < $requests) {
            self::assertSame(0.0, (float) $limiter->reserve()->getWaitDuration());
            $sentAt[] = self::now();
        }

        return $sentAt;
    }

    /**
     * Of an application with this policy as "export".
     *
     * @param string $framework a line of its configuration
     * @param string $services  lines, indented by four spaces
     */
    private function container(string $policy, string $framework = '{}', string $services = ''): ContainerInterface
    {
        $application = $this->application(<<<YAML
            framework:
                $framework
            redis_rate_limit:
                url: '%env(REDIS_URL)%'
                policies:
                    minute: { policy: fixed_window, limit: 3, interval: 1 minute }
                    hour: { policy: sliding_window, limit: 100, interval: 1 hour }
                    export: $policy
            services:
                asked: { alias: limiter.export, public: true }
            $services
            YAML);
        $application->boot();

        return $application->getContainer();
    }

    /** Seconds since the test began, by Redis' clock. */
    private static function now(): int
    {
        return intdiv(self::$clock->microseconds(), 1_000_000) - self::T0;
    }
}
