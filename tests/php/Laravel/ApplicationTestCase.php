<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Foundation\Application as LaravelApplication;
use Illuminate\Foundation\Testing\TestCase;
use Illuminate\Support\Carbon;
use RedisRateLimit\Tests\Support\Clock;
use RedisRateLimit\Tests\Support\RedisServer;

/** Sends requests through the HTTP kernel of a real application, with Redis' clock and Laravel's set to one time. */
abstract class ApplicationTestCase extends TestCase
{
    /** 2026-01-01 00:00:20 UTC */
    protected const NOW = 1767225620;

    protected static RedisServer $redis;
    protected static Clock $clock;
    protected Application $application;

    public static function setUpBeforeClass(): void
    {
        self::$clock = new Clock(self::NOW);
        self::$redis = new RedisServer(clock: self::$clock);
    }

    public static function tearDownAfterClass(): void
    {
        self::$redis->stop();
    }

    protected function setUp(): void
    {
        self::$redis->command('FLUSHALL');
        self::$clock->set(self::NOW);
        parent::setUp();
        Carbon::setTestNow(Carbon::createFromTimestamp(self::NOW));
    }

    protected function tearDown(): void
    {
        parent::tearDown();
        self::restoreHandlers();
    }

    /** Before 11 Laravel leaves the handlers that it sets when it boots. */
    protected static function restoreHandlers(): void
    {
        if (version_compare(LaravelApplication::VERSION, '11', '<')) {
            restore_error_handler();
            restore_exception_handler();
        }
    }

    /** No types: the parents of Laravel 8 to 13 differ in them. */
    public function createApplication()
    {
        $this->application = new Application($this->config());

        return $this->application->boot();
    }

    /** @return array<string, mixed> */
    protected function config(): array
    {
        return [
            'ratelimit.url' => self::$redis->url(),
            // On a busy machine 50 ms can pass before a test's own Redis gets a core.
            'ratelimit.timeout' => 2,
            'ratelimit.policies' => [
                'api' => ['policy' => 'token_bucket', 'limit' => 3, 'rate' => ['amount' => 3, 'interval' => '1 minute']],
                'daily' => ['policy' => 'fixed_window', 'limit' => 2, 'interval' => '1 day'],
                'crowd' => ['policy' => 'sliding_log', 'limit' => 1000, 'interval' => '1 hour'],
                'closed' => ['policy' => 'fixed_window', 'limit' => 1, 'interval' => '1 minute', 'on_failure' => 'closed'],
            ],
        ];
    }

    protected function pass(float $seconds): void
    {
        self::$clock->advance($seconds);
        Carbon::setTestNow(Carbon::now()->addMilliseconds((int) round($seconds * 1_000)));
    }
}
