<?php

/** Bursts through nginx and a real PHP-FPM pool, and what came of them. Run by `make demo`. */

declare(strict_types=1);

use RedisRateLimit\Demo\Report;
use RedisRateLimit\Demo\Site;
use RedisRateLimit\Tests\Support\HttpResponse;

require __DIR__ . '/../tests/autoload.php';

$policies = require __DIR__ . '/policies.php';
$hourly = array_slice($policies, 0, 7, true);
$live = array_slice($policies, 7, null, true);
const REQUESTS = 300;
const MOMENTS = 40;
const PER_MOMENT = 6;

$site = new Site();
$report = new Report();
$report->line(sprintf('nginx at %s → PHP-FPM, %d workers, PHP %s → Redis %s', $site->address(), Site::WORKERS, PHP_VERSION, $site->redis->info('redis_version')));

$report->heading(sprintf('%d requests at once to each of %d policies; every one lets 100 pass', REQUESTS, count($hourly)));
$report->line('  the answers in order, 5 a column (█ all passed, · none)');
$answers = $site->burst(array_keys($hourly), REQUESTS);
foreach ($answers as $name => $list) {
    $passed = count(Report::passed($list));
    $report->row($name, array_chunk($list, 5), "$passed passed");
}

$report->heading('The last 200 and the first 429 of each');
foreach ($answers as $name => $list) {
    $report->line("  $name");
    $passed = Report::passed($list);
    usort($passed, static fn (HttpResponse $a, HttpResponse $b) => $b->header('X-RateLimit-Remaining') <=> $a->header('X-RateLimit-Remaining'));
    $refused = array_values(array_filter($list, static fn (HttpResponse $answer) => $answer->status === 429));
    array_map($report->headers(...), array_filter([end($passed), $refused[0] ?? null]));
}

$report->heading(sprintf('%d requests every 100 ms for %d seconds', PER_MOMENT, MOMENTS / 10));
$report->line('  policy                     0 s       1 s       2 s       3 s');
$moments = [];
$start = microtime(true);
for ($moment = 0; $moment < MOMENTS; $moment++) {
    @time_sleep_until($start + $moment / 10);
    foreach ($site->burst(array_keys($live), PER_MOMENT) as $name => $list) {
        $moments[$name][] = $list;
    }
}
$seconds = microtime(true) - $start;
foreach ($moments as $name => $columns) {
    $passed = count(Report::passed(array_merge(...$columns)));
    $report->row($name, $columns, sprintf('%d of %d passed', $passed, MOMENTS * PER_MOMENT));
}

$report->heading('What must be');
foreach ($answers as $name => $list) {
    $report->expect(count(Report::passed($list)) === $policies[$name]->limit, "$name: exactly {$policies[$name]->limit} passed");
}
foreach ($moments as $name => $columns) {
    $all = array_merge(...$columns);
    $report->expect(count(Report::passed($all)) >= $policies[$name]->limit, "$name: what it holds passed");
    // What it held at first, and what came in the time that went by.
    $perInterval = $policies[$name]->toArray()['rate']['amount'] ?? $policies[$name]->limit;
    $most = $policies[$name]->limit + $perInterval * ceil($seconds / $policies[$name]->interval);
    $report->expect(count(Report::passed($all)) <= $most, "$name: never more than its rate");
}
$statuses = array_map(static fn (HttpResponse $answer) => $answer->status, array_merge(...array_values($answers), ...array_merge(...array_values($moments))));
$report->expect(array_diff($statuses, [200, 429]) === [], 'every answer was 200 or 429');
$connections = $site->redis->connectionsSeen();
$report->expect($connections === Site::WORKERS, sprintf('Redis saw %d connections, one per worker', $connections));

$site->stop();
$report->line($report->failed() ? "\nThis is not what must be." : "\nAll as it must be; everything that was started is stopped.");
exit($report->failed() ? 1 : 0);
