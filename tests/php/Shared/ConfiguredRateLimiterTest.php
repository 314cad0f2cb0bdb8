<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Shared;

use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use RedisRateLimit\ConfiguredRateLimiter;
use RedisRateLimit\InvalidConfiguration;

final class ConfiguredRateLimiterTest extends TestCase
{
    /**
     * @testWith ["redis:///run/redis.sock"]
     *           ["redis://secret@/run/redis.sock/2"]
     *           ["rediss://user:secret@/run/redis.sock"]
     *           ["redis:?host[/run/redis.sock:]"]
     *           ["valkey:///run/valkey.sock"]
     */
    #[TestWith(['redis:///run/redis.sock'])]
    #[TestWith(['redis://secret@/run/redis.sock/2'])]
    #[TestWith(['rediss://user:secret@/run/redis.sock'])]
    #[TestWith(['redis:?host[/run/redis.sock:]'])]
    #[TestWith(['valkey:///run/valkey.sock'])]
    public function testASocketInOtherWordsIsShownInOurs(string $url): void
    {
        $message = self::complaint($url);

        self::assertStringEndsWith('a socket is written unix:///path/to.sock?pass=PASSWORD', $message);
        self::assertStringNotContainsString('secret', $message);
    }

    public function testAnotherMistakeIsNotTakenForASocket(): void
    {
        self::assertStringNotContainsString('unix:///path', self::complaint('redis://secret@localhost/1'));
    }

    public function testWhereTheExtensionIsMissingItSaysSo(): void
    {
        $file = var_export(dirname(__DIR__, 3) . '/php/ConfiguredRateLimiter.php', true);
        $code = "require $file; try { RedisRateLimit\\ConfiguredRateLimiter::create(null, null, null); } catch (LogicException \$e) { echo \$e->getMessage(); }";

        self::assertSame(
            'The PHP extension ratelimit is not loaded in this PHP (cli): see "Install" in the README of ratelimit.',
            shell_exec(escapeshellarg(PHP_BINARY) . ' -n -r ' . escapeshellarg($code)),
        );
    }

    private static function complaint(string $url): string
    {
        try {
            ConfiguredRateLimiter::create($url, null, null);
        } catch (InvalidConfiguration $e) {
            return $e->getMessage();
        }
        self::fail('no InvalidConfiguration');
    }
}
