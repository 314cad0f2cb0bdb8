<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\Tests\Support\FpmPool;
use RedisRateLimit\Tests\Support\HttpClient;
use RedisRateLimit\Tests\Support\HttpResponse;
use RedisRateLimit\Tests\Support\Nginx;
use RedisRateLimit\Tests\Support\RedisServer;

/** The application under nginx and PHP-FPM: 8 clients at once, 2,000 requests at a limit of 1,000. */
final class FpmTest extends TestCase
{
    private const REQUESTS = 2000;
    private const LIMIT = 1000;

    private static RedisServer $redis;

    public static function setUpBeforeClass(): void
    {
        self::$redis = new RedisServer();
    }

    public static function tearDownAfterClass(): void
    {
        self::$redis->stop();
    }

    protected function setUp(): void
    {
        self::$redis->command('FLUSHALL');
    }

    public function testTheMiddlewareAdmitsExactlyTheLimit(): void
    {
        $this->assertSame(self::LIMIT, $this->passed($this->burst('/crowd', false)));
    }

    public function testTheReplacedThrottleAdmitsExactlyTheLimit(): void
    {
        $answers = $this->burst('/named/crowd', true);
        $this->assertSame(self::LIMIT, $this->passed($answers));
        $remaining = array_map(static fn (HttpResponse $answer): int => (int) $answer->header('X-RateLimit-Remaining'), $answers);
        rsort($remaining);
        $this->assertSame(range(self::LIMIT - 1, 0), array_slice($remaining, 0, self::LIMIT), 'each number was told once');
        foreach ($answers as $answer) {
            $this->assertSame($answer->status === 429, $answer->header('Retry-After') !== null);
        }
    }

    /** For comparison: Laravel's limiter counts in several commands, so it can only be expected to admit enough. */
    public function testLaravelsOwnThrottleAdmitsAtLeastTheLimit(): void
    {
        $this->assertGreaterThanOrEqual(self::LIMIT, $this->passed($this->burst('/named/crowd', false)));
    }

    /** @return list<HttpResponse> */
    private function burst(string $path, bool $replaced): array
    {
        $application = new Application([
            'ratelimit.url' => self::$redis->url(),
            'ratelimit.timeout' => 5,
            'ratelimit.replace_throttle' => $replaced,
            'ratelimit.policies' => ['crowd' => ['policy' => 'sliding_log', 'limit' => self::LIMIT, 'interval' => '1 hour']],
            'cache.default' => 'redis',
            'database.redis.default.port' => self::$redis->port,
        ]);
        foreach (['config:cache', 'route:cache'] as $command) {
            $this->assertSame(0, $application->artisan($command)['exit']);
        }
        $pool = new FpmPool(8, ['opcache.enable' => '1']);
        $nginx = new Nginx($pool, "{$application->path}/public/index.php");
        $answers = HttpClient::burst(array_fill(0, self::REQUESTS, $nginx->url($path)), 8);
        $nginx->stop();
        $pool->stop();
        $this->assertSame('', $application->log(), 'Redis answered every time');

        return $answers;
    }

    /** @param list<HttpResponse> $answers */
    private function passed(array $answers): int
    {
        $statuses = array_count_values(array_map(static fn (HttpResponse $answer): int => $answer->status, $answers));
        $this->assertSame(self::REQUESTS, ($statuses[200] ?? 0) + ($statuses[429] ?? 0), json_encode($statuses) . $answers[0]->body);

        return $statuses[200];
    }
}
