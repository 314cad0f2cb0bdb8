<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RedisRateLimit\Tests\Support\TemporaryDirectory;

/** make build, install and uninstall, in a folder of their own: php-config tells which PHP they work for. */
final class InstallTest extends TestCase
{
    private const TOOLS = __DIR__ . '/../../tools';

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

        $told = $this->module('uninstall', $phpConfig);
        self::assertSame([], $this->installed());
        self::assertSame($settings === [], str_contains($told, 'take extension=ratelimit out of /opt/etc/php.ini'), $told);
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

    /** @dataProvider builds */
    #[DataProvider('builds')]
    public function testBuildingWantsDebiansPhpOnlyWhereItIsBuiltFor(?string $scanned, bool $wanted): void
    {
        $machine = ['php' => 'echo ' . self::VERSION, 'cargo' => 'true', 'sudo' => 'true', 'apt-get' => 'true', 'dpkg-query' => 'false'];
        foreach ($machine as $name => $command) {
            $this->executable($name, $command);
        }
        $phpConfig = $scanned === null ? '/nowhere/php-config' : $this->phpConfig($scanned);

        $told = self::told(['env', "PATH={$this->directory->path}:" . getenv('PATH'), "PHP_CONFIG=$phpConfig", self::TOOLS . '/install-dependencies', 'build']);

        self::assertStringContainsString('installing gcc make pkg-config clang libclang-dev', $told);
        $packages = sprintf('php%1$s-cli php%1$s-dev', self::VERSION);
        self::assertSame($wanted, str_contains($told, $packages), $told);
    }

    /** @return array<string, array{?string, bool}> where the PHP of php-config reads settings; null: there is none */
    public static function builds(): array
    {
        return ['no php-config' => [null, true], "Debian's" => ['/etc/php/' . self::VERSION . '/cli/conf.d', true], 'another' => ['/opt/etc/conf.d', false]];
    }

    private function phpConfig(string $scanned): string
    {
        $version = self::VERSION;

        return $this->executable('php-config', <<<SH
            case \$1 in
                --version) echo $version.0 ;;
                --prefix) echo /opt ;;
                --extension-dir) echo /opt/extensions ;;
                --ini-dir) echo $scanned ;;
                --ini-path) echo /opt/etc ;;
            esac
            SH);
    }

    private function executable(string $name, string $commands): string
    {
        $path = $this->directory->write($name, "#!/bin/sh\n$commands\n");
        chmod($path, 0700);

        return $path;
    }

    private function module(string $action, string $phpConfig, string $module = ''): string
    {
        return self::told([self::TOOLS . '/module', $action, $phpConfig, "{$this->directory->path}/root", '', $module]);
    }

    /** @param list<string> $command */
    private static function told(array $command): string
    {
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $output, $exit);
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
