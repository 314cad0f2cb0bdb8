<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Tests\Support\Php;

/** A password in a URL is seen by the server that it is for, and by nobody else. */
final class SecretsTest extends FaultTestCase
{
    /** Everything that may show a limiter, its settings, what it decides and what it throws. */
    private const SHOW_ALL = <<<'PHP'
        function traced(#[SensitiveParameter] string $url): void {
            try {
                $limiter = new RedisRateLimit\RateLimiter($url);
            } catch (RedisRateLimit\InvalidConfiguration $exception) {
                var_dump($exception);
                phpinfo(INFO_MODULES);
                throw $exception;
            }
            $policy = RedisRateLimit\Policy::slidingLog('p', 5, 60);
            $calls = [
                fn () => $limiter->consume($policy, 'alice'), fn () => $limiter->consume($policy->failClosed(), 'alice')->ensureAllowed(),
                fn () => $limiter->peek($policy, 'alice'), fn () => $limiter->reset($policy, 'alice'),
                fn () => $limiter->history($policy, 'alice'), fn () => $limiter->ping(), fn () => serialize($limiter),
                fn () => $limiter->consume($policy, ''), fn () => $limiter->__construct($url), fn () => clone $limiter,
            ];
            foreach ($calls as $call) {
                try {
                    $result = $call();
                    var_dump($result);
                    print_r($result);
                    echo json_encode($result), "\n";
                } catch (Throwable $error) {
                    var_dump($error);
                    echo $error, "\n";
                    error_log((string) $error);
                }
            }
            var_dump($limiter);
            print_r($limiter);
            var_export($limiter);
            debug_zval_dump($limiter);
            var_dump((array) $limiter, (new ReflectionObject($limiter))->getProperties());
            print_r(RedisRateLimit\RateLimiter::stats());
            phpinfo(INFO_MODULES);
            print_r(ini_get_all('ratelimit', false)['ratelimit.prefix']);
        }
        ini_set('ratelimit.breaker_failures', '2');
        traced((string) getenv('SECRET_URL'));
        PHP;

    /** @dataProvider urls */
    #[DataProvider('urls')]
    public function testNothingThatPhpShowsHoldsThePassword(string $url): void
    {
        self::assertStringNotContainsString(self::SECRET, self::show($url));
    }

    /** @return array<string, array{string}> */
    public static function urls(): array
    {
        $secret = self::SECRET;
        $urls = [
            "redis://:$secret@127.0.0.1:1", "redis://user:$secret@127.0.0.1:1/2", "redis://user:$secret%40%3A@127.0.0.1:1",
            "rediss://user:$secret@127.0.0.1:1", "rediss://user:$secret@127.0.0.1:1?ca=/nowhere",
            "unix:///nowhere/redis.sock?user=me&pass=$secret", "unix:///nowhere/redis.sock?pass=$secret&db=3",
            "redis-cluster://user:$secret@127.0.0.1:1,127.0.0.1:2", "rediss-cluster://:$secret@127.0.0.1:1",
            "redis-sentinel://user:$secret@127.0.0.1:1/mymaster", "redis-sentinel://127.0.0.1:1/mymaster?sentinel_pass=$secret",
            "redis-sentinel://u:$secret@127.0.0.1:1/mymaster/2?sentinel_user=s&sentinel_pass=$secret", "rediss-sentinel://:$secret@127.0.0.1:1/m",
            // What people write by mistake.
            $secret, "://$secret", "$secret://host", "redis:$secret@host", "redis://$secret@host", "redis://user:$secret", "redis://host:$secret/0",
            "redis://user:$secret@", "redis://user:$secret@host:port", "redis://user:$secret@host:99999", "redis://user:$secret@ho st",
            "redis://user:$secret/part@host", "redis://user:$secret?part@host", "redis://user:$secret#part@host", "redis://user:%zz$secret@host",
            "redis://user:$secret@host/$secret", "redis://host/0?password=$secret", "redis://host?pass=$secret", "redis://host/?$secret=1",
            "redis://user:$secret@a,b", "redis://[::1:$secret@host", "redis://user:$secret@[::1", "redis://user:$secret@host/1/2",
            "unix://user:$secret@/path", "unix:///path?password=$secret", "unix:///path?user=$secret", "unix:///path?pass=$secret&pass=$secret",
            "unix:///path?db=$secret", "redis-cluster://user:$secret@host/5", "redis-sentinel://user:$secret@host", "redis-sentinel://:$secret@host/m/x",
            "redis-sentinel://host/m?sentinel_user=$secret", "rediss://user:$secret@host?cert=/a", "rediss://host?ca=$secret&ca=b", "http://user:$secret@host",
            "redis://user:$secret@host\0", "redis://user:$secret\xff@host", "REDIS://user:$secret@host", " redis://user:$secret@host",
        ];

        return array_combine($urls, array_map(static fn (string $url) => [$url], $urls));
    }

    public function testABadSettingIsToldWithoutIt(): void
    {
        foreach (['redis://user:%zz' . self::SECRET . '@host', 'http://u:' . self::SECRET . '@h', 'redis://' . self::SECRET . '@host'] as $url) {
            $ini = ['ratelimit.url' => $url, 'display_startup_errors' => '1', 'display_errors' => 'stderr', 'log_errors' => '0'];
            foreach ([['--ri', 'ratelimit'], ['-r', 'ini_set("ratelimit.url", strrev(getenv("BACKWARDS"))); echo ini_get("ratelimit.url");']] as $arguments) {
                putenv('BACKWARDS=' . strrev($url));
                $result = Php::invoke($arguments, $ini);
                self::assertStringContainsString('ratelimit.url', $result['stderr']);
                self::assertStringNotContainsString(self::SECRET, $result['stdout'] . $result['stderr']);
            }
        }
        putenv('BACKWARDS');
    }

    /** All output of a process that shows what it can, its uncaught exceptions and logs included. */
    private static function show(string $url): string
    {
        $url = str_replace("\0", '%00', $url);
        putenv("SECRET_URL=$url");
        try {
            $result = Php::run(self::SHOW_ALL, [
                'ratelimit.url' => $url, 'zend.exception_ignore_args' => '0', 'display_errors' => 'stderr', 'log_errors' => '1', 'html_errors' => '0',
                'display_startup_errors' => '1',
            ]);
        } finally {
            putenv('SECRET_URL');
        }

        return $result['stdout'] . $result['stderr'];
    }
}
