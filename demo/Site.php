<?php

declare(strict_types=1);

namespace RedisRateLimit\Demo;

use RedisRateLimit\Tests\Support\FpmPool;
use RedisRateLimit\Tests\Support\HttpClient;
use RedisRateLimit\Tests\Support\HttpResponse;
use RedisRateLimit\Tests\Support\Nginx;
use RedisRateLimit\Tests\Support\RedisServer;

/** The demo's machinery: nginx, a PHP-FPM pool of four workers, and a Redis of their own. */
final class Site
{
    public const WORKERS = 4;
    private const CLIENTS = 16;

    public readonly RedisServer $redis;

    private readonly FpmPool $pool;
    private readonly Nginx $nginx;

    public function __construct()
    {
        $this->redis = new RedisServer();
        $this->pool = new FpmPool(self::WORKERS, [
            'ratelimit.url' => $this->redis->url(),
            'ratelimit.on_failure' => 'closed',
            'ratelimit.refusal_cache_ttl_ms' => '1000',
            // A demo on a busy machine should show limits, not deadlines.
            'ratelimit.timeout_ms' => '5000',
        ]);
        $this->nginx = new Nginx($this->pool, __DIR__ . '/index.php');
    }

    /**
     * Many requests at once to each of the policies, mixed.
     *
     * @param list<string> $policies
     * @return array<string, list<HttpResponse>> by policy
     */
    public function burst(array $policies, int $requests): array
    {
        $urls = [];
        for ($i = 0; $i < $requests; $i++) {
            foreach ($policies as $policy) {
                $urls[] = $this->nginx->url('/?' . http_build_query(['policy' => $policy, 'tenant' => 'tenant_8231']));
            }
        }
        $answers = [];
        foreach (HttpClient::burst($urls, self::CLIENTS) as $number => $answer) {
            $answers[$policies[$number % count($policies)]][] = $answer;
        }

        return $answers;
    }

    public function address(): string
    {
        return $this->nginx->url();
    }

    public function stop(): void
    {
        $this->nginx->stop();
        $this->pool->stop();
        $this->redis->stop();
    }
}
