<?php

/**
 * Calls everything that the extension shows to PHP with junk: seed, number of calls and URL are its arguments. Prints
 * what was thrown that should not be, and how much memory grew; a crash ends it.
 */

declare(strict_types=1);

use RedisRateLimit\Decision;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Faults\Junk;

require __DIR__ . '/../autoload.php';

[, $seed, $calls, $url] = $argv;
mt_srand((int) $seed);
ini_set('precision', '17');

$limiter = new RateLimiter($url, 10.0);
$policies = [
    Policy::tokenBucket('bucket', 5, 1), Policy::slidingLog('log', 5, 60), Policy::slidingLog('audit', 5, 60, true), Policy::unlimited('none'),
    Policy::compound('both', Policy::fixedWindow('a', 5, 60), Policy::slidingWindow('b', 50, 60))->failClosed(), Policy::leakyBucket('leaky', 5, 1)->shadow(),
];
$decisions = array_map(static fn (Policy $policy) => $limiter->consume($policy, 'alice'), $policies);
$junk = new Junk([$limiter, ...$policies, ...$decisions]);

$classes = [Policy::class, RateLimiter::class, Decision::class, RedisRateLimit\InvalidPolicy::class, RedisRateLimit\InvalidConfiguration::class,
    RedisRateLimit\StoreUnavailable::class, RedisRateLimit\RateLimitExceeded::class];
$class = static fn (): string => $classes[array_rand($classes)];
$arguments = static function (ReflectionMethod $method) use ($junk): array {
    $percent = [0, 5, 40][mt_rand(0, 2)];
    $arguments = array_map(static fn (ReflectionParameter $parameter) => $junk->for($parameter, $percent), $method->getParameters());
    $arguments = array_slice($arguments, 0, mt_rand(0, 4) === 0 ? mt_rand(0, 6) : null);
    if (mt_rand(0, 9) === 0) {
        $arguments[] = $junk->any();
    }
    if (mt_rand(0, 9) === 0) {
        $arguments[['cost', 'tenant', 'scope', 'requestId', 'limit', 'nonsense', 'policy'][mt_rand(0, 6)]] = $junk->any();
    }

    return $arguments;
};
// As methods of the extension's own classes only: what an exception inherits is PHP's.
$methods = [];
foreach ([Policy::class, RateLimiter::class, Decision::class] as $name) {
    array_push($methods, ...(new ReflectionClass($name))->getMethods());
}
$bare = static fn (): object => (new ReflectionClass($class()))->newInstanceWithoutConstructor();
$call = static function (?object $object = null) use ($methods, $arguments, $junk, $limiter): mixed {
    $method = $methods[array_rand($methods)];
    // Most of the others were never constructed, or lead nowhere.
    $object ??= $method->class === RateLimiter::class && mt_rand(0, 1) === 0 ? $limiter : $junk->object($method->class);

    return $method->invokeArgs($method->isStatic() ? null : $object, $arguments($method));
};
$settings = array_keys(ini_get_all('ratelimit', false));

$actions = [
    'call' => $call,
    'consume' => static fn () => $limiter->consume($junk->object(Policy::class), 'tenant ' . mt_rand(0, 50), cost: mt_rand(1, 3)),
    'call without constructor' => static fn () => $call($bare()),
    'bare object' => static fn () => match (mt_rand(0, 4)) {
        0 => json_encode($bare()), 1 => var_export($bare(), true), 2 => clone $bare(), 3 => print_r($bare(), true), 4 => $bare() == $bare(),
    },
    'new' => static fn () => new ($class())(...array_map($junk->any(...), array_fill(0, mt_rand(0, 4), 9))),
    'construct again' => static fn () => $junk->object()->__construct(...array_map($junk->any(...), array_fill(0, mt_rand(0, 4), 9))),
    'private constructor' => static function () use ($bare, $junk): void {
        $object = mt_rand(0, 1) ? $bare() : $junk->object();
        (new ReflectionMethod($object, '__construct'))->invoke($object, $junk->any());
    },
    'clone' => static fn () => clone $junk->object(),
    'serialize' => static fn () => serialize($junk->object()),
    'unserialize' => static fn () => unserialize(sprintf(
        '%s:%d:"%s":%s',
        'OCE'[mt_rand(0, 2)],
        strlen($name = $class()),
        $name,
        ['0:{}', '1:{s:4:"name";s:1:"p";}', '1:{s:8:"decision";i:1;}', '3:abc', '0:'][mt_rand(0, 4)]
    )),
    'show' => static fn () => match (mt_rand(0, 5)) {
        0 => var_export($junk->object(), true), 1 => print_r($junk->object(), true), 2 => json_encode($junk->any(), JSON_PARTIAL_OUTPUT_ON_ERROR),
        3 => (array) $junk->object(), 4 => get_object_vars($junk->object()), 5 => get_mangled_object_vars($junk->object()),
    },
    'compare' => static fn () => [$junk->object() == $junk->object(), $junk->object() <=> $junk->any(), in_array($junk->object(), [$junk->object()])],
    'convert' => static fn () => match (mt_rand(0, 4)) {
        0 => (string) $junk->object(), 1 => (bool) $junk->object(), 2 => $junk->object()[0], 3 => count($junk->object()), 4 => $junk->object()(),
    },
    'property' => static function () use ($junk): void {
        $object = $junk->object();
        $name = ['name', 'limit', 'allowed', 'windows', 'decision', 'remaining', 'nothing', ''][mt_rand(0, 7)];
        match (mt_rand(0, 4)) {
            0 => $object->$name = $junk->any(), 1 => $object->$name, 2 => isset($object->$name), 3 => (static function () use ($object, $name): void {
                unset($object->$name);
            })(), 4 => (new ReflectionProperty($object, $name))->setValue($object, $junk->any()),
        };
    },
    'reference' => static function () use ($junk): void {
        $windows = &$junk->object(Decision::class)->windows;
        $windows[] = 1;
    },
    'walk' => static function () use ($junk): void {
        foreach ($junk->object() as $name => $value) {
        }
    },
    'setting' => static function () use ($settings, $junk, $url): void {
        $name = $settings[array_rand($settings)];
        $value = $junk->any();
        try {
            ini_set($name, is_scalar($value) || $value === null ? $value : $junk->string());
            new RateLimiter();
        } finally {
            ini_restore($name);
        }
    },
    'information' => static function (): void {
        mt_rand(0, 20) === 0 && phpinfo(INFO_MODULES);
        RateLimiter::stats();
    },
];

$thrown = [];
$harmless = [RedisRateLimit\Exception::class, InvalidArgumentException::class, TypeError::class, Error::class, ReflectionException::class, ErrorException::class];
// What PHP itself, or the junk, throws.
$expected = '/^(Serialization of|Unserialization of|called$|no string$|Cannot unserialize|Invalid serialization|Exception::__|Trying to clone)/';
// A user's error handler may throw: out of a warning of the extension too.
set_error_handler(static function (int $level, string $text): bool {
    return mt_rand(0, 3) === 0 ? throw new ErrorException($text) : true;
});
ob_start(static fn () => '', 65536);
for ($number = 1; $number <= $calls; $number++) {
    $action = mt_rand(0, 2) === 0 ? array_rand($actions) : 'call';
    try {
        $junk->keep($actions[$action]());
    } catch (Throwable $error) {
        if (!array_filter($harmless, static fn (string $name) => $error instanceof $name) && !preg_match($expected, $error->getMessage())) {
            $thrown["$action: " . $error::class . ': ' . substr($error->getMessage(), 0, 200)] = $number;
        }
        unset($error);
    }
    if ($number === intdiv((int) $calls, 5)) {
        gc_collect_cycles();
        $before = [memory_get_usage(), resident()];
    }
}
ob_end_clean();
restore_error_handler();
gc_collect_cycles();
$last = $limiter->consume(Policy::fixedWindow('last', 5, 60), 'alice');
echo json_encode([
    'thrown' => $thrown, 'remaining' => $last->remaining, 'error' => $last->error,
    'heap' => memory_get_usage() - $before[0], 'resident' => resident() - $before[1],
], JSON_INVALID_UTF8_SUBSTITUTE);

/** KiB of this process in memory. */
function resident(): int
{
    preg_match('/^VmRSS:\s+(\d+)/m', file_get_contents('/proc/self/status'), $match);

    return (int) $match[1];
}
