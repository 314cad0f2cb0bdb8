<?php

/**
 * `make faults`: what an outage costs, on a quiet machine. Prints each figure beside what was promised and ends with 1
 * if one is missed. Its argument is how many seconds the mixed load lasts, 600 if there is none.
 */

declare(strict_types=1);

use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Faults\Impostor;
use RedisRateLimit\Tests\Faults\Load;
use RedisRateLimit\Tests\Faults\Outage;
use RedisRateLimit\Tests\Faults\Site;
use RedisRateLimit\Tests\Faults\Soak;
use RedisRateLimit\Tests\Support\Port;
use RedisRateLimit\Tests\Support\RedisServer;

require __DIR__ . '/../autoload.php';

$missed = 0;
$report = static function (string $what, float $figure, string $unit, bool $kept, string $promise) use (&$missed): void {
    $missed += (int) !$kept;
    printf("%-58s %10.2f %-6s %s (%s)\n", $what, $figure, $unit, $kept ? 'kept' : 'MISSED', $promise);
};

/** The ns in which this process was ready to run and had no processor, and the ticks that the host took from all. */
$kept = static fn (): array => [
    (int) explode(' ', file_get_contents('/proc/self/schedstat'))[1], (int) preg_split('/\s+/', file_get_contents('/proc/stat'))[8],
];

/** The longest of 200 decisions, in ms, each of which asks; without the time for which a busy machine kept it waiting. */
$longest = static function (string $url, float $timeout) use ($kept): float {
    ini_set('ratelimit.breaker_failures', '0');
    $limiter = new RateLimiter($url, $timeout);
    ini_restore('ratelimit.breaker_failures');
    $policy = Policy::compound('p', Policy::fixedWindow('a', 1000, 60), Policy::slidingLog('b', 1000, 60));
    $longest = 0;
    for ($counted = 0; $counted < 200; $counted += (int) ($stolen === $stolenBefore)) {
        [$waitedBefore, $stolenBefore] = $kept();
        $start = hrtime(true);
        @$limiter->consume($policy, 'alice');
        $passed = hrtime(true) - $start;
        [$waited, $stolen] = $kept();
        $longest = max($longest, $stolen === $stolenBefore ? $passed - ($waited - $waitedBefore) : 0);
    }

    return $longest / 1e6;
};

$frozen = new RedisServer();
(new RateLimiter($frozen->tcpUrl(), 5.0))->ping();
$frozen->freeze();
$silent = new Impostor();
$half = new Impostor("\$80\r\nhalf");
$readonly = new RedisServer(['replicaof' => '127.0.0.1 1']);
$full = new RedisServer(['maxmemory' => '1', 'maxmemory-policy' => 'noeviction']);
$garbage = new Impostor("HTTP/1.1 400 Bad Request\r\n\r\n");
$faults = [
    'nobody listens' => 'redis://127.0.0.1:' . Port::free(), 'stopped (SIGSTOP)' => $frozen->tcpUrl(), 'stopped, unix socket' => $frozen->url(),
    'accepts, never answers' => $silent->url(), 'never answers AUTH' => "redis://:secret@127.0.0.1:{$silent->port}",
    'never answers TLS' => "rediss://127.0.0.1:{$silent->port}", 'half a reply' => $half->url(), 'garbage' => $garbage->url(),
    'cluster that never answers' => "redis-cluster://127.0.0.1:{$silent->port},127.0.0.1:{$half->port}",
    'sentinels that never answer' => "redis-sentinel://127.0.0.1:{$silent->port},127.0.0.1:{$half->port}/mymaster",
    'READONLY' => $readonly->tcpUrl(), 'OOM' => $full->tcpUrl(), 'NOAUTH' => "redis://:wrong@127.0.0.1:{$readonly->port}",
];
foreach ($faults as $fault => $url) {
    foreach ([50, 20] as $timeout) {
        $report("$fault, timeout $timeout: longest of 200", $ms = $longest($url, $timeout / 1000), 'ms', $ms <= $timeout + 10, 'timeout + 10 ms');
    }
}

@$longest('redis://127.0.0.1:1', 0.05);
$limiter = new RateLimiter('redis://127.0.0.1:1');
$policy = Policy::tokenBucket('api', 100, 10);
$times = [];
for ($i = 0; $i < 10_000; $i++) {
    $start = hrtime(true);
    $limiter->consume($policy, 'alice');
    $times[] = hrtime(true) - $start;
}
sort($times);
$report('a decision while the circuit is open, median of 10,000', $times[5000] / 1000, 'µs', $times[5000] < 100_000, 'microseconds');
unset($frozen, $silent, $half, $readonly, $full, $garbage);

foreach (['stopped (SIGSTOP)' => false, 'replaced by a listener' => true] as $how => $replaced) {
    $site = new Site(Outage::DECIDE, 50);
    $requests = static fn (string $query): int => iterator_count((new Load($site->nginx->url() . $query, 1))->answers());
    $requests('');
    $replaced ? $site->redis->stop() : $site->redis->freeze();
    $impostor = $replaced ? new Impostor('', $site->redis->port) : null;
    $requests(''); // the circuit opens
    [$empty, $decided] = [0, 0];
    for ($turn = 0; $turn < 10; $turn++) { // in turns, so that what else the machine does falls on both
        $empty += $requests('?empty');
        $decided += $requests('');
    }
    unset($requests, $site, $impostor);
    $report("Redis $how: requests/s beside an empty script's", $decided / $empty, 'x', $decided >= 0.9 * $empty, sprintf('0.9; %d/s of %d/s', $decided / 10, $empty / 10));
    $outage = new Outage(10, $replaced);
    $back = array_filter($outage->answers, static fn (array $answer) => $answer['at'] > $outage->ended && !$answer['degraded']);
    $wait = (reset($back)['at'] - $outage->ended) * 1000;
    $report('  Redis back: first normal decision after', $wait, 'ms', $wait <= 1000 * Outage::COOLDOWN + 100, 'cooldown + 100 ms');
    if ($replaced) {
        $last = array_slice($outage->connections, -8);
        $between = array_map(static fn (float $one, float $next): float => $next - $one, array_slice($last, 0, -1), array_slice($last, 1));
        $report('  the shortest time between its last 8 probes', min($between) * 1000, 'ms', min($between) > 0.95 * Outage::COOLDOWN, 'one per cooldown, 5 % for the way');
    }
}

$seconds = (float) ($argv[1] ?? 600);
$soak = new Soak($seconds, min(30, $seconds / 4));
$answers = array_sum($soak->statuses);
$report("mixed load for $seconds s, {$soak->restarts} outages: answers that were not 200", $answers - ($soak->statuses[200] ?? 0), '', array_keys($soak->statuses) === [200], "none of $answers");
$report('  workers that died', count(array_diff($soak->workers[0], $soak->workers[1])), '', $soak->workers[0] === $soak->workers[1], 'none');
$report('  workers that answer afterwards', count($soak->alive), '', count($soak->alive) === 4, '4');
$report('  growth of the largest worker after the first third', $soak->resident[1] - $soak->resident[0], 'KiB', $soak->resident[1] - $soak->resident[0] < 1024, 'flat: below 1 MiB');
exit($missed === 0 ? 0 : 1);
