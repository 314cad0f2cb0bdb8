<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Policy;
use RedisRateLimit\Symfony\DependencyInjection\Configuration;
use RedisRateLimit\Tests\Support\MarkdownBlock;
use RedisRateLimit\Tests\Support\Php;
use RedisRateLimit\Tests\Support\TemporaryDirectory;
use Symfony\Component\Config\Definition\Processor;
use Symfony\Component\Yaml\Yaml;

/**
 * The examples of README.md and docs/ do what they say. A block that begins with "<?php" is a program and is run; any
 * other PHP or YAML block names, in a comment above it, the test that takes it from there and runs it.
 */
final class DocsTest extends RedisTestCase
{
    /** @dataProvider programs */
    #[DataProvider('programs')]
    public function testAProgramRunsWithoutWarningsAndPrintsWhatIsBelowIt(MarkdownBlock $block): void
    {
        $directory = new TemporaryDirectory('ratelimit-docs');
        mkdir("$directory->path/vendor");
        $directory->write('vendor/autoload.php', sprintf('<?php require %s;', var_export(dirname(__DIR__) . '/autoload.php', true)));
        $port = self::$redis->port;
        $code = str_replace(['redis://127.0.0.1:6379', "'127.0.0.1', 6379"], [self::$redis->tcpUrl(), "'127.0.0.1', $port"], $block->code);
        $program = $directory->write('example.php', $code);

        $result = Php::invoke([$program], [
            // A web server's, for the recipe without a framework.
            'auto_prepend_file' => $directory->write('server.php', '<?php $_SERVER["REMOTE_ADDR"] = "192.0.2.7";'),
            'ratelimit.url' => self::$redis->url(),
            'ratelimit.timeout_ms' => '10000',
            'display_errors' => 'stderr',
            // Debian's Symfony 5.4 is older than this PHP.
            'error_reporting' => (string) (str_contains($code, 'autoload.php') ? E_ALL & ~E_DEPRECATED : E_ALL),
        ]);

        self::assertSame(['', 0], [$result['stderr'], $result['exit']], $result['stdout']);
        self::assertSame($block->output ?? $result['stdout'], $result['stdout']);
        self::assertNotSame([], self::$redis->keys(), 'it has asked Redis');
    }

    public static function programs(): array
    {
        // Not every PHP has phpredis: a thread-safe one from source has not.
        return self::named(static fn (MarkdownBlock $block): bool => $block->isProgram()
            && (extension_loaded('redis') || !str_contains($block->code, 'new Redis()')));
    }

    /** @dataProvider fragments */
    #[DataProvider('fragments')]
    public function testAFragmentNamesTheTestThatRunsIt(MarkdownBlock $block): void
    {
        self::assertNotNull($block->testedBy, "no <!-- tested by tests/php/…Test.php --> above $block->place");
        self::assertStringEndsWith('Test.php', $block->testedBy);
        $test = file_get_contents(dirname(__DIR__, 2) . "/$block->testedBy");
        preg_match_all('/MarkdownBlock::with\(\'(\S+)\', \'(\w*)\', ([\'"])(.+?)\3\)/', $test, $taken, PREG_SET_ORDER);
        $codes = array_map(static fn (array $call): string => MarkdownBlock::with($call[1], $call[2], $call[4]), $taken);

        self::assertContains($block->code, $codes, "$block->testedBy does not take it out of $block->place");
    }

    /** @dataProvider fragments */
    #[DataProvider('fragments')]
    public function testAFragmentIsWellFormedAndItsPoliciesCanBe(MarkdownBlock $block): void
    {
        $policies = match (true) {
            $block->language === 'yaml' => self::configured(Yaml::parse($block->code)),
            str_starts_with($block->code, "'policies' =>") => (eval("return [$block->code];"))['policies'],
            default => [],
        };
        foreach ($policies as $name => $words) {
            self::assertSame($name, Policy::fromArray($name, $words)->name);
        }
        if ($block->language === 'php') {
            self::assertTrue(self::parses($block->code), "$block->place does not parse");
        }
        self::assertNotSame('', $block->code);
    }

    public static function fragments(): array
    {
        return self::named(static fn (MarkdownBlock $block): bool => !$block->isProgram() && in_array($block->language, ['php', 'yaml'], true));
    }

    public function testTheReadmesFirstRefusal(): void
    {
        self::$clock->set(1_767_225_620.5);
        $policy = Policy::tokenBucket('api', capacity: 10, refill: 1, interval: '1 second');
        self::assertSame(10, $this->allowed(10, $policy));
        $headers = $this->limiter->consume($policy, 'alice')->toHeaders();
        $lines = array_map(static fn (string $name, string $value): string => "$name: $value\n", array_keys($headers), $headers);

        self::assertStringEndsWith("…\nHTTP/1.1 429 Too Many Requests\n" . implode($lines), MarkdownBlock::with('README.md', '', '429'));
    }

    /** @dataProvider states */
    #[DataProvider('states')]
    public function testAStateIsAsLongAsTheReadmeSays(Policy $policy, string $row, int $bytes, int $bytesAfterThree): void
    {
        self::assertMatchesRegularExpression($row, file_get_contents(dirname(__DIR__, 2) . '/README.md'));
        foreach ([$bytes, $bytesAfterThree] as $length) {
            $this->limiter->consume($policy, 'alice', cost: $length === $bytes ? 1 : 2);

            self::assertSame($length, self::$redis->command('STRLEN', "rl:{$policy->name}:alice:global"));
        }
    }

    /** @return array<string, array{Policy, string, int, int}> */
    public static function states(): array
    {
        return [
            'token bucket' => [Policy::tokenBucket('p', 10, 1), '/^.*tokenBucket.* 11 bytes \|$/m', 11, 11],
            'sliding log' => [Policy::slidingLog('p', 10, 60), '/^.*slidingLog.* 21 bytes, and 6 per unit \|$/m', 27, 39],
            'sliding window' => [Policy::slidingWindow('p', 10, 60), '/^.*slidingWindow.* 17 bytes \|$/m', 17, 17],
            'fixed window' => [Policy::fixedWindow('p', 10, 60), '/^.*fixedWindow.* 12 bytes \|$/m', 12, 12],
            'leaky bucket' => [Policy::leakyBucket('p', 10, 1), '/^.*leakyBucket.* 11 bytes \|$/m', 11, 11],
        ];
    }

    public function testTheDrawingIsWhatTheExtensionDecides(): void
    {
        $docs = dirname(__DIR__, 2);
        $drawn = Php::invoke(["$docs/tools/plot-algorithms.php"], ['display_errors' => 'stderr']);

        self::assertSame(['', 0], [$drawn['stderr'], $drawn['exit']]);
        self::assertSame(file_get_contents("$docs/docs/algorithms.svg"), $drawn['stdout'], 'run make figures');
    }

    /**
     * Its policies, where it holds our bundle's configuration, in one environment or in all.
     *
     * @return array<string, array<string, mixed>>
     */
    private static function configured(array $yaml): array
    {
        $ours = ($yaml + ($yaml['when@test'] ?? []))['redis_rate_limit'] ?? [];

        return (new Processor())->processConfiguration(new Configuration(), [$ours])['policies'];
    }

    /** A fragment is statements, or what stands in a class, or what stands in an array. */
    private static function parses(string $code): bool
    {
        foreach (["<?php $code", "<?php class Example { $code }", "<?php [$code];"] as $source) {
            try {
                token_get_all($source, TOKEN_PARSE);

                return true;
            } catch (\ParseError) {
                continue;
            }
        }

        return false;
    }

    /** @return array<string, array{MarkdownBlock}> */
    private static function named(callable $filter): array
    {
        $blocks = array_filter(MarkdownBlock::all(), $filter);

        return array_combine(
            array_map(static fn (MarkdownBlock $block): string => $block->place, $blocks),
            array_map(static fn (MarkdownBlock $block): array => [$block], $blocks),
        );
    }
}
