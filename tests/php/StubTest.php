<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\Tests\Support\Api;

/** The stub that IDEs read and the extension that runs say the same, in both directions. */
final class StubTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';

    public function testEveryClassOfTheExtensionIsAsTheStubSays(): void
    {
        $extension = new \ReflectionExtension('ratelimit');

        self::assertSame($this->stub(), Api::describe($extension->getClassNames()));
    }

    public function testTheExtensionBringsClassesAndSettingsOnly(): void
    {
        $extension = new \ReflectionExtension('ratelimit');

        self::assertSame([], array_keys($extension->getFunctions()));
        self::assertSame([], $extension->getConstants());
    }

    public function testTheStubNamesEverySettingWithItsDefault(): void
    {
        $text = file_get_contents(self::ROOT . '/stubs/ratelimit.stub.php');
        preg_match_all('/^ \*  - (ratelimit\.\w+) +(\S+)/m', $text, $settings);
        $documented = array_combine($settings[1], $settings[2]);
        $actual = array_map(static fn (array $setting) => $setting['global_value'], ini_get_all('ratelimit'));
        ksort($documented);
        ksort($actual);

        self::assertSame($documented, $actual);
    }

    /** Read in a PHP without the extension, where the stub's classes can be declared. */
    private function stub(): array
    {
        $code = 'require "%s/tests/support/Api.php"; $before = array_merge(get_declared_classes(), get_declared_interfaces());'
            . ' require "%1$s/stubs/ratelimit.stub.php"; $all = array_merge(get_declared_classes(), get_declared_interfaces());'
            . ' echo json_encode(RedisRateLimit\Tests\Support\Api::describe(array_values(array_diff($all, $before))));';
        exec(escapeshellarg(PHP_BINARY) . ' -n -r ' . escapeshellarg(sprintf($code, self::ROOT)) . ' 2>&1', $output, $status);
        self::assertSame(0, $status, implode("\n", $output));

        return json_decode(implode("\n", $output), true, 512, JSON_THROW_ON_ERROR);
    }
}
