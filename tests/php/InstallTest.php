<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RedisRateLimit\Tests\Support\TemporaryDirectory;

/** make install and uninstall, in a folder of their own: the PHP that php-config tells of decides what goes where. */
final class InstallTest extends TestCase
{
    private const MODULE_TOOL = __DIR__ . '/../../tools/module';

    /** That of this machine's own PHP: the other one may not be taken for it. */
    private const VERSION = PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('ratelimit-install');
    }

    /** @dataProvider phps */
    #[DataProvider('phps')]
    public function testSettingsGoWhereThatPhpReadsThem(string $scanned, array $settings): void
    {
        $phpConfig = $this->phpConfig($scanned);
        $module = $this->directory->write('ratelimit.so', 'a module');

        $told = $this->module('install', $phpConfig, $module);
        self::assertEqualsCanonicalizing(['/opt/extensions/ratelimit.so', ...$settings], $this->installed());
        self::assertSame($settings === [], str_contains($told, 'add extension=ratelimit to /opt/etc/php.ini'), $told);

        $this->module('uninstall', $phpConfig);
        self::assertSame([], $this->installed());
    }

    /** @return array<string, array{string, list<string>}> */
    public static function phps(): array
    {
        $debian = '/etc/php/' . self::VERSION;

        return [
            "Debian's" => ["$debian/cli/conf.d", ["$debian/mods-available/ratelimit.ini"]],
            "another beside Debian's" => ['/opt/etc/conf.d', ['/opt/etc/conf.d/ratelimit.ini']],
            'one that scans no folder' => ['', []],
        ];
    }

    private function phpConfig(string $scanned): string
    {
        $version = self::VERSION;
        $answers = <<<SH
            #!/bin/sh
            case \$1 in
                --version) echo $version.0 ;;
                --prefix) echo /opt ;;
                --extension-dir) echo /opt/extensions ;;
                --ini-dir) echo $scanned ;;
                --ini-path) echo /opt/etc ;;
            esac
            SH;
        $path = $this->directory->write('php-config', $answers);
        chmod($path, 0700);

        return $path;
    }

    private function module(string $action, string $phpConfig, string $module = ''): string
    {
        $arguments = [$action, $phpConfig, "{$this->directory->path}/root", '', $module];
        exec(implode(' ', array_map(escapeshellarg(...), [self::MODULE_TOOL, ...$arguments])) . ' 2>&1', $output, $exit);
        self::assertSame(0, $exit, implode("\n", $output));

        return implode("\n", $output);
    }

    /** @return list<string> */
    private function installed(): array
    {
        $root = "{$this->directory->path}/root";
        $files = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($root, \FilesystemIterator::SKIP_DOTS));

        return array_map(static fn (\SplFileInfo $file): string => substr($file->getPathname(), strlen($root)), iterator_to_array($files, false));
    }
}
