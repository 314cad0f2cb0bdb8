<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\TestCase;

/** Cargo.toml holds the version; whatever else names it says the same. */
final class VersionTest extends TestCase
{
    public function testExtensionHasTheCratesVersion(): void
    {
        self::assertSame(self::version(), phpversion('ratelimit'));
    }

    public function testNewestEntryOfTheChangelogIsTheCratesVersion(): void
    {
        preg_match('/^## (\S+)/m', file_get_contents(__DIR__ . '/../../CHANGELOG.md'), $newest);

        self::assertSame(self::version(), $newest[1]);
    }

    private static function version(): string
    {
        preg_match('/^version = "(.+)"/m', file_get_contents(__DIR__ . '/../../Cargo.toml'), $found);

        return $found[1];
    }
}
