<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\Php;
use RedisRateLimit\Tests\Support\RedisServer;

/** Replies that come late, cut or not at all reach no other call, and make no call count twice. */
final class DisturbedRepliesTest extends FaultTestCase
{
    private const DECISIONS = 10_000;
    private const KEYS = 50;
    private const PROCESSES = 4;

    /** Prints per key how many calls there were, how many were answered, and how many answers were another key's. */
    private const DECIDE = <<<'PHP'
        [$url, $seed, $decisions, $keys] = json_decode(getenv('DECIDE'), true);
        mt_srand($seed + (int) $argv[1]);
        ini_set('ratelimit.breaker_failures', '0');
        $limiter = new RedisRateLimit\RateLimiter($url, timeout: 0.03);
        $counts = array_fill(0, $keys, ['calls' => 0, 'answered' => 0, 'foreign' => 0]);
        for ($i = 0; $i < $decisions; $i++) {
            $key = mt_rand(0, $keys - 1);
            $limit = 10_000_000 + $key;
            $decision = @$limiter->consume(RedisRateLimit\Policy::fixedWindow("policy$key", $limit, '1 day'), "tenant$key");
            $counts[$key]['calls']++;
            $counts[$key]['answered'] += (int) !$decision->degraded;
            // What had been taken before: 1 + 10,000 * key; no key has as many calls as lie between two keys.
            $ours = $limit - $decision->remaining - 1 - $key * 10_000;
            $counts[$key]['foreign'] += (int) (!$decision->degraded && ($decision->limit !== $limit || $ours < 1 || $ours >= 10_000));
        }
        echo json_encode($counts);
        PHP;

    public function testNoDecisionIsAnothersAndNoCallCountsTwice(): void
    {
        $seed = (int) (getenv('RATELIMIT_SEED') ?: random_int(1, 1_000_000));
        $redis = new RedisServer();
        $proxy = new Proxy($redis, $seed);
        // Keys whose counts lie far apart: a reply that reached another key's call would show.
        foreach (range(0, self::KEYS - 1) as $key) {
            self::patient($redis->url())->consume(self::policy($key), "tenant$key", cost: 1 + $key * 10_000);
        }
        putenv('DECIDE=' . json_encode([$proxy->url(), $seed, intdiv(self::DECISIONS, self::PROCESSES), self::KEYS]));
        $results = Php::runConcurrently(self::PROCESSES, self::DECIDE);
        putenv('DECIDE');

        $all = array_map(static fn (array $result) => json_decode($result['stdout'], true) ?? self::fail("seed $seed: " . print_r($result, true)), $results);
        $lost = 0;
        foreach (range(0, self::KEYS - 1) as $key) {
            $sum = static fn (string $what): int => array_sum(array_map(static fn (array $counts): int => $counts[$key][$what], $all));
            $charged = 10_000_000 + $key - self::patient($redis->url())->peek(self::policy($key), "tenant$key")->remaining - 1 - $key * 10_000;
            self::assertSame(0, $sum('foreign'), "seed $seed, key $key");
            self::assertGreaterThanOrEqual($sum('answered'), $charged, "seed $seed, key $key: an answer that charged nothing");
            self::assertLessThanOrEqual($sum('calls'), $charged, "seed $seed, key $key: a call that charged twice");
            $lost += $sum('calls') - $sum('answered');
        }
        self::assertGreaterThan(self::DECISIONS / 50, $lost, "the proxy of seed $seed harmed nothing");
        self::assertLessThan(self::DECISIONS / 2, $lost, "of seed $seed too few replies arrived");
    }

    public function testAPausedServerAnswersNobodyElse(): void
    {
        $redis = new RedisServer();
        $hasty = new RateLimiter($redis->tcpUrl(), timeout: 0.02);
        $patient = self::patient($redis->tcpUrl());
        self::assertSame(10, $patient->consume(Policy::fixedWindow('a', 11, 3600), 'alice')->remaining);
        for ($left = 99; $left > 90; $left--) {
            $redis->command('CLIENT', 'PAUSE', '60', 'ALL');
            @$hasty->consume(Policy::fixedWindow('a', 5, 3600), 'bob');
            $decision = $patient->consume(Policy::fixedWindow('b', 100, 3600), 'alice');
            self::assertSame([100, $left], [$decision->limit, $decision->remaining], (string) $decision->error);
        }
    }

    private static function policy(int $key): Policy
    {
        return Policy::fixedWindow("policy$key", 10_000_000 + $key, '1 day');
    }
}
