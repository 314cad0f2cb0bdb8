<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Cargo.toml holds the versions, of the extension and of the Rust it needs; whatever else names them says the same. */
final class VersionTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';

    public function testExtensionHasTheCratesVersion(): void
    {
        self::assertSame(self::version(), phpversion('ratelimit'));
    }

    public function testNewestEntryOfTheChangelogIsTheCratesVersion(): void
    {
        preg_match('/^## (\S+)/m', file_get_contents(self::ROOT . '/CHANGELOG.md'), $newest);

        self::assertSame(self::version(), $newest[1]);
    }

    /** @dataProvider filesThatNameRust */
    #[DataProvider('filesThatNameRust')]
    public function testRustIsTheOneThatCargoAsksFor(string $file): void
    {
        preg_match_all('/\bRust (\d+\.\d+)/', file_get_contents(self::ROOT . "/$file"), $named);

        self::assertSame([self::ofCargo('rust-version')], array_values(array_unique($named[1])));
    }

    public static function filesThatNameRust(): array
    {
        $files = ['README.md', 'CONTRIBUTING.md', 'ext/config.m4', 'tools/install-dependencies'];

        return array_combine($files, array_map(static fn (string $file): array => [$file], $files));
    }

    public function testOldestPhpIsTheOneThatComposerAsksFor(): void
    {
        preg_match_all('/\bPHP (\d\.\d) to \d\.\d/', file_get_contents(self::ROOT . '/README.md'), $named);
        self::assertCount(1, array_unique($named[1]));

        foreach (['composer.json', 'php/composer.json'] as $manifest) {
            $required = json_decode(file_get_contents(self::ROOT . "/$manifest"), true)['require']['php'];
            self::assertSame(">={$named[1][0]}", $required, $manifest);
        }
    }

    private static function version(): string
    {
        return self::ofCargo('version');
    }

    private static function ofCargo(string $name): string
    {
        preg_match("/^$name = \"(.+)\"/m", file_get_contents(self::ROOT . '/Cargo.toml'), $found);

        return $found[1];
    }
}
