<?php

/**
 * Draws docs/algorithms.svg: what each algorithm lets through around a window's edge. Real decisions of a real Redis
 * whose clock is set. `make figures` runs it; a test holds the drawing to it.
 */

declare(strict_types=1);

use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\Clock;
use RedisRateLimit\Tests\Support\RedisServer;

require __DIR__ . '/../tests/autoload.php';

ini_set('ratelimit.refusal_cache_ttl_ms', '0'); // it lives by this machine's clock
const BEGIN = 1_700_006_400; // a multiple of WINDOW: windows of every kind begin here
const LIMIT = 10;
const WINDOW = 60;
const END = 150;
const LEFT = 150;
const SCALE = 4.4; // pixels per second
const ROW = 62;
const TOP = 74;

$calls = [0, ...range(50, END - 1)];
$policies = [
    'fixed window' => Policy::fixedWindow('fixed', LIMIT, WINDOW),
    'sliding window' => Policy::slidingWindow('window', LIMIT, WINDOW),
    'sliding log' => Policy::slidingLog('log', LIMIT, WINDOW),
    'token bucket' => Policy::tokenBucket('bucket', LIMIT, LIMIT, WINDOW),
    'leaky bucket' => Policy::leakyBucket('leaky', LIMIT, LIMIT, WINDOW),
];

/**
 * @param list<int> $calls seconds at which a call of cost 1 comes
 * @return array{passed: list<float>, refused: list<int>} seconds at which one acts, delays included; and is refused
 */
function settle(RateLimiter $limiter, Clock $clock, Policy $policy, array $calls): array
{
    $passed = $refused = [];
    foreach ($calls as $second) {
        $clock->set(BEGIN + $second);
        $decision = $limiter->consume($policy, 'client');
        if ($decision->degraded) {
            throw new \RuntimeException($decision->error);
        }
        $decision->allowed ? $passed[] = $second + $decision->delay : $refused[] = $second;
    }

    return ['passed' => $passed, 'refused' => $refused];
}

/**
 * Of these seconds, the most that fall into one window, wherever it begins.
 *
 * @param list<float> $seconds
 */
function most(array $seconds): int
{
    // Whole microseconds: windows are half open, and a delay added to a second is not exact.
    $at = array_map(static fn (float $second): int => (int) round($second * 1e6), $seconds);

    return max(array_map(static fn (int $from): int => count(array_filter(
        $at,
        static fn (int $one): bool => $one >= $from && $one < $from + WINDOW * 1_000_000,
    )), $at));
}

function text(float $x, float $y, string $text, string $attributes = ''): string
{
    return sprintf("<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>\n", $x, $y, $attributes, htmlspecialchars($text));
}

/** One row: tall bars act, small ones are refused. */
function row(string $name, float $base, array $passed, array $refused): string
{
    $bar = static fn (float $second, int $height, string $color): string => sprintf(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"3\" height=\"%d\" fill=\"%s\"/>\n",
        LEFT + $second * SCALE,
        $base - $height,
        $height,
        $color,
    );
    $svg = text(12, $base - 8, $name, 'font-weight="bold"');
    foreach ($refused as $second) {
        $svg .= $bar($second, 6, '#c9ccd1');
    }
    foreach (array_filter($passed, static fn (float $second): bool => $second < END) as $second) {
        $svg .= $bar($second, 32, '#1a7f5a');
    }
    $svg .= sprintf("<line x1=\"%d\" y1=\"%2\$.1f\" x2=\"%3\$.1f\" y2=\"%2\$.1f\" stroke=\"#555\"/>\n", LEFT, $base, LEFT + END * SCALE);

    return $svg . text(LEFT + END * SCALE + 52, $base - 8, (string) most($passed), 'text-anchor="middle" font-size="18"');
}

$clock = new Clock(BEGIN);
$redis = new RedisServer([], $clock);
$limiter = new RateLimiter($redis->url(), timeout: 10.0);

$right = LEFT + END * SCALE;
$bottom = TOP + count($policies) * ROW;
$svg = sprintf('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" ', $right + 110, $bottom + 40)
    . "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    . text(12, 24, 'One call at 0 s, then one each second from 50 s on; ' . LIMIT . ' per ' . WINDOW . ' s', 'font-size="15"')
    . text(12, 44, 'tall: acts (leaky bucket: after its delay) · short: refused · dashed: a fixed window ends', 'fill="#555"')
    . text($right + 52, 34, 'most in any', 'text-anchor="middle"') . text($right + 52, 50, WINDOW . ' s', 'text-anchor="middle"');
for ($edge = WINDOW; $edge < END; $edge += WINDOW) {
    $svg .= sprintf("<line x1=\"%1\$.1f\" y1=\"%2\$d\" x2=\"%1\$.1f\" y2=\"%3\$d\" stroke=\"#c0392b\" stroke-dasharray=\"4 3\"/>\n", LEFT + $edge * SCALE, TOP - 18, $bottom);
}
$base = TOP - 8;
foreach ($policies as $name => $policy) {
    $svg .= row($name, $base += ROW, ...settle($limiter, $clock, $policy, $calls));
}
for ($second = 0; $second <= END; $second += 10) {
    $svg .= text(LEFT + $second * SCALE, $bottom + 20, (string) $second, 'text-anchor="middle" fill="#555"');
}
$redis->stop();

echo $svg, text($right + 52, $bottom + 20, 'seconds', 'text-anchor="middle" fill="#555"'), "</svg>\n";
