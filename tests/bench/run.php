<?php

/**
 * `make bench`: measures, prints tables, and writes docs/bench.json and docs/bench.svg. QUICK=1 in the environment
 * gives rough figures in under a minute and writes nothing; ONLY=Latency measures what has that in its name.
 */

declare(strict_types=1);

use RedisRateLimit\Bench\Chart;
use RedisRateLimit\Bench\Environment;
use RedisRateLimit\Bench\Measurements;
use RedisRateLimit\Bench\Report;
use RedisRateLimit\Tests\Support\Php;
use RedisRateLimit\Tests\Support\RedisServer;

require dirname(__DIR__) . '/autoload.php';

$measurements = [
    Measurements\LatencyOverUnixSocket::class,
    Measurements\LatencyOverTcp::class,
    Measurements\LatencyOfRememberedRefusals::class,
    Measurements\LatencyOfFrameworks::class,
    Measurements\ServerCost::class,
    Measurements\MemoryOfKeys::class,
    Measurements\CostAgainstSize::class,
    Measurements\Flood::class,
    Measurements\WebServer::class,
];
$quick = (bool) getenv('QUICK');
$only = (string) getenv('ONLY');
$report = new Report();
foreach ($measurements as $measurement) {
    if (!str_contains($measurement, $only)) {
        continue;
    }
    $child = Php::invoke([__DIR__ . '/measure.php', $measurement, $quick ? '1' : '0'], $measurement::ini() + ['memory_limit' => '1G'], seconds: 7200);
    if ($child['exit'] !== 0) {
        fwrite(STDERR, $child['stdout'] . $child['stderr']);
        exit(1);
    }
    echo $report->add(json_decode($child['stdout'], true, flags: JSON_THROW_ON_ERROR));
}
if (!$quick && $only === '') {
    $docs = dirname(__DIR__, 2) . '/docs';
    file_put_contents("$docs/bench.json", $report->json(Environment::with(new RedisServer())));
    file_put_contents("$docs/bench.svg", (new Chart($report))->svg());
    echo "\nWritten: docs/bench.json, docs/bench.svg\n";
}
echo $report->targets();
