<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Foundation\Application as LaravelApplication;
use Illuminate\Foundation\Testing\TestCase;
use Illuminate\Support\Carbon;
use RedisRateLimit\Tests\Support\StartsRedis;

/** Sends requests through the HTTP kernel of a real application, with Redis' clock and Laravel's set to one time. */
abstract class ApplicationTestCase extends TestCase
{
    use StartsRedis;

    protected Application $application;

    protected function setUp(): void
    {
        self::emptyRedis();
        parent::setUp();
        Carbon::setTestNow(Carbon::createFromTimestamp(self::T0));
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
