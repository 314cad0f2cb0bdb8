<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\Tests\Support\Php;
use RedisRateLimit\Tests\Support\TemporaryDirectory;

/** Composer and PIE find what they need in the manifests: the library in php/, the extension in the root. */
final class ComposerTest extends TestCase
{
    public function testLibraryInstallsWhereTheExtensionIsLoaded(): void
    {
        $project = self::projectRequiringTheLibrary();

        $installed = Php::invoke(self::install($project));
        self::assertSame(0, $installed['exit'], $installed['stderr']);

        $found = Php::run("require '{$project->path}/vendor/autoload.php'; var_dump(class_exists(RedisRateLimit\Policies::class));");
        self::assertSame(["bool(true)\n", ''], [$found['stdout'], $found['stderr']]);
    }

    public function testLibraryAsksForTheExtension(): void
    {
        $project = self::projectRequiringTheLibrary();

        exec('timeout --signal=KILL 300 ' . implode(' ', self::install($project)) . ' 2>&1', $output, $exit);

        self::assertNotSame(0, $exit);
        self::assertStringContainsString('ext-ratelimit', implode("\n", $output));
    }

    public function testExtensionIsBuiltWherePieLooks(): void
    {
        $root = dirname(__DIR__, 2);
        $manifest = json_decode(file_get_contents("$root/composer.json"), true);

        self::assertSame('php-ext', $manifest['type']);
        self::assertSame('ratelimit', $manifest['php-ext']['extension-name']);
        self::assertFileExists("$root/{$manifest['php-ext']['build-path']}/config.m4");
    }

    /** `git subtree split --prefix=php` publishes that folder alone. */
    public function testLibraryBringsItsLicense(): void
    {
        $root = dirname(__DIR__, 2);

        self::assertFileEquals("$root/LICENSE", "$root/php/LICENSE");
    }

    private static function projectRequiringTheLibrary(): TemporaryDirectory
    {
        $library = ['type' => 'path', 'url' => dirname(__DIR__, 2) . '/php', 'options' => ['symlink' => false]];
        $project = new TemporaryDirectory('ratelimit-composer');
        $project->write('composer.json', json_encode([
            'repositories' => [['packagist.org' => false], $library],
            'require' => ['redis-rate-limit/ratelimit' => '@dev'],
        ]));

        return $project;
    }

    /** @return list<string> */
    private static function install(TemporaryDirectory $project): array
    {
        return [trim(shell_exec('command -v composer')), 'install', "--working-dir={$project->path}", '--no-interaction'];
    }
}
