<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RedisRateLimit\Tests\Support\Php;
use RedisRateLimit\Tests\Support\RedisServer;

/** The settings of php.ini: read, checked at startup, and shown without passwords. */
final class IniTest extends TestCase
{
    public function testTheyAreUsedWhereTheConstructorNamesNothing(): void
    {
        $redis = new RedisServer();
        $result = Php::run(<<<'PHP'
            $limiter = new RedisRateLimit\RateLimiter();
            echo $limiter->consume(RedisRateLimit\Policy::fixedWindow('p', 5, 60), 'alice')->remaining;
            PHP, ['ratelimit.url' => $redis->url(), 'ratelimit.prefix' => 'shop', 'ratelimit.timeout_ms' => '10000']);

        self::assertSame('4', $result['stdout'] . $result['stderr']);
        self::assertSame(['shop:p:alice:global'], $redis->keys());
    }

    public function testTheFailureRuleHoldsForPoliciesThatNameNone(): void
    {
        foreach (['open' => '[true,false]', 'closed' => '[false,false]'] as $rule => $expected) {
            $result = Php::run(<<<'PHP'
                $limiter = new RedisRateLimit\RateLimiter('redis://127.0.0.1:1');
                $policy = RedisRateLimit\Policy::fixedWindow('p', 5, 60);
                echo json_encode([@$limiter->consume($policy, 'a')->allowed, @$limiter->consume($policy->failClosed(), 'a')->allowed]);
                PHP, ['ratelimit.on_failure' => $rule]);
            self::assertSame($expected, $result['stdout'], $rule);
        }
    }

    /** @dataProvider badValues */
    #[DataProvider('badValues')]
    public function testABadValueIsAStartupWarningAndTheDefaultHolds(string $name, string $value, string $shown): void
    {
        $default = ini_get_all('ratelimit', false)[$name];
        $result = Php::invoke(
            ['-r', sprintf('echo ini_get("%s");', $name)],
            [$name => $value, 'display_startup_errors' => '1', 'display_errors' => 'stderr', 'log_errors' => '0'],
        );

        self::assertSame(0, $result['exit']);
        self::assertStringContainsString('Warning', $result['stderr']);
        self::assertStringContainsString($name, $result['stderr']);
        self::assertStringContainsString($shown, $result['stderr']);
        self::assertStringNotContainsString('secret', $result['stderr'] . $result['stdout']);
        self::assertSame($default, $result['stdout']);
    }

    /** @return array<string, array{string, string, string}> */
    public static function badValues(): array
    {
        return [
            'url' => ['ratelimit.url', 'http://user:secret@host', 'http'],
            'empty url' => ['ratelimit.url', '', 'redis://'],
            'timeout 0' => ['ratelimit.timeout_ms', '0', '0'],
            'timeout -5' => ['ratelimit.timeout_ms', '-5', '-5'],
            'timeout text' => ['ratelimit.timeout_ms', 'soon', 'soon'],
            'prefix' => ['ratelimit.prefix', '', 'prefix'],
            'rule' => ['ratelimit.on_failure', 'maybe', 'maybe'],
        ];
    }

    public function testTheModuleDescribesItselfWithPasswordsMasked(): void
    {
        $ini = ['ratelimit.url' => 'redis://user:topsecret@127.0.0.1:6379/2'];
        foreach ([['--ri', 'ratelimit'], ['-i'], ['-r', 'phpinfo();']] as $arguments) {
            $result = Php::invoke($arguments, $ini);
            self::assertSame(0, $result['exit']);
            foreach (array_keys(ini_get_all('ratelimit', false)) as $name) {
                self::assertStringContainsString($name, $result['stdout']);
            }
            self::assertStringContainsString('127.0.0.1:6379', $result['stdout']);
            // php -i shows the command line too; that one is the caller's own.
            $module = substr($result['stdout'], (int) strpos($result['stdout'], 'ratelimit.'), 3000);
            self::assertStringNotContainsString('topsecret', $module);
        }
    }

    public function testNothingConnectsBeforeTheFirstCall(): void
    {
        $redis = new RedisServer();
        Php::run('new RedisRateLimit\RateLimiter();', ['ratelimit.url' => $redis->tcpUrl()]);

        self::assertSame(0, (int) $redis->connectionsSeen());
    }

    public function testAPrefixOfNoUtf8IsRefusedAsInTheConstructor(): void
    {
        self::assertFalse(@ini_set('ratelimit.prefix', "\xff"));

        self::assertSame('rl', ini_get('ratelimit.prefix'));
    }
}
