<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\Decision;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\MarkdownBlock;

/** What README.md and docs/ name exists: settings, headers, properties, methods, classes, make targets, files. */
final class DocsNamesTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';
    private const METHODS_OF_OTHERS = [
        'phpinfo', 'after', 'by', 'for', 'none', 'response', 'ensureAccepted', 'getLimit', 'getRemainingTokens', 'getRetryAfter', 'isAccepted',
    ];
    private const CLASSES_OF_OTHERS = [
        'HttpException', 'InvalidArgumentException', 'ResponseInterface', 'ServerRequestInterface', 'ThrottleRequestsException', 'TrustProxies',
        'CompoundLimiter', 'DefaultLoginRateLimiter', 'RateLimiterFactory', 'LimiterInterface', 'RateLimiterFactoryInterface', 'RateLimitExceededException', 'MaxWaitDurationExceededException',
    ];

    public function testSettings(): void
    {
        $known = array_map(static fn (array $setting): string => $setting['global_value'], ini_get_all('ratelimit'));
        preg_match_all('/^\| `(ratelimit\.\w+)` \| `(.*?)`/m', file_get_contents(self::ROOT . '/README.md'), $rows);

        self::assertEqualsCanonicalizing($known, array_combine($rows[1], $rows[2]));
        self::assertSame([], array_diff(self::named('/`(ratelimit\.[a-z_]+)`/'), array_keys($known)));
    }

    public function testHeaders(): void
    {
        $refused = Decision::fromArray(['allowed' => false, 'policy' => 'api', 'limit' => 1, 'retryAfter' => 1.0, 'resetAt' => 1.0,
            'windows' => [['window' => 'api', 'allowed' => false, 'limit' => 1, 'remaining' => 0, 'retryAfter' => 1.0, 'resetAt' => 1.0]]]);
        $documented = self::named('/^\| `((?:X-)?R[\w-]+)` \|/m', [self::ROOT . '/README.md']);

        self::assertEqualsCanonicalizing(array_keys($refused->toHeaders() + $refused->toStandardHeaders()), $documented);
    }

    public function testPropertiesOfADecision(): void
    {
        preg_match('/^`\$decision` is immutable: (.*?)\. /ms', file_get_contents(self::ROOT . '/README.md'), $list);
        preg_match_all('/`(\w+)`/', $list[1], $names);
        $properties = array_map(
            static fn (\ReflectionProperty $property): string => $property->name,
            (new \ReflectionClass(Decision::class))->getProperties(),
        );

        self::assertEqualsCanonicalizing($properties, $names[1]);
    }

    public function testMethodsThatTheReadmeNames(): void
    {
        $methods = array_merge(...array_map('get_class_methods', [Policy::class, RateLimiter::class, Decision::class]));

        self::assertSame([], array_diff(self::named('/`(?:\w+::)?(\w+)\([^`]*\)`/', [self::ROOT . '/README.md']), $methods, ['for']));
        self::assertSame([], array_diff(self::named('/\bPolicy::(\w+)/'), get_class_methods(Policy::class)));
    }

    public function testClasses(): void
    {
        $missing = array_filter(self::named('/\b(RedisRateLimit(?:\\\\[A-Z]\w+)+)/'), static function (string $name): bool {
            $path = self::ROOT . '/php/' . strtr(substr($name, strlen('RedisRateLimit\\')), '\\', '/');

            return !is_file("$path.php") && !is_dir($path) && !class_exists($name, false) && !interface_exists($name, false);
        });

        self::assertSame([], $missing);
    }

    public function testMethodsAndClassesThatDocsNameInPassing(): void
    {
        $text = preg_replace('/^```.*?^```$/ms', '', implode("\n", array_map('file_get_contents', MarkdownBlock::files())));
        preg_match_all('/`[^`]+`/', $text, $code);
        preg_match_all('/\b([a-z]\w*)\(/', implode("\n", $code[0]), $methods);
        preg_match_all('/\b[A-Z][a-z]+[A-Z][a-z]\w+/', implode("\n", $code[0]), $classes);
        [$ours, $ourClasses] = self::declared();

        self::assertSame([], array_values(array_diff(array_unique($methods[1]), $ours, self::METHODS_OF_OTHERS)));
        self::assertSame([], array_values(array_diff(array_unique($classes[0]), $ourClasses, self::CLASSES_OF_OTHERS)));
        self::assertSame([], array_diff(self::METHODS_OF_OTHERS, $methods[1]), 'no longer named');
        self::assertSame([], array_diff(self::CLASSES_OF_OTHERS, $classes[0]), 'no longer named');
    }

    public function testCommands(): void
    {
        foreach (['symfony' => 'Symfony/Command', 'laravel' => 'Laravel/Console'] as $document => $folder) {
            preg_match_all('/^.*(?:bin\/console|\*\*Artisan\.\*\*).*$(?:\n\S.*$)*/m', file_get_contents(self::ROOT . "/docs/$document.md"), $lines);
            preg_match_all('/ratelimit:\w+/', implode("\n", $lines[0]), $documented);
            preg_match_all('/\'(ratelimit:\w+)/', implode(array_map('file_get_contents', glob(self::ROOT . "/php/$folder/*.php"))), $commands);

            self::assertEqualsCanonicalizing(array_values(array_unique($commands[1])), array_values(array_unique($documented[0])));
        }
    }

    public function testMakeTargets(): void
    {
        preg_match_all('/^([a-z-]+):/m', file_get_contents(self::ROOT . '/Makefile'), $targets);

        self::assertSame([], array_diff(self::named('/(?:^|`|&& |sudo )make ([a-z-]+)(?=$|`| +[#&A-Z])/m', [...MarkdownBlock::files(), self::ROOT . '/CONTRIBUTING.md']), $targets[1]));
    }

    public function testFilesAndLinks(): void
    {
        foreach (MarkdownBlock::files() as $file) {
            foreach (self::named('/\]\(([^)#:]+)(?:#[^)]*)?\)/', [$file]) as $link) {
                self::assertFileExists(dirname($file) . "/$link", "linked from $file");
            }
        }
        foreach (self::named('#`((?:docs|lua|php|src|stubs|tests|tools)/[\w./-]+)`#') as $path) {
            self::assertFileExists(self::ROOT . "/$path");
        }
    }

    /** @return array{list<string>, list<string>} names of all methods, and without namespace of all classes, in php/ and the extension */
    private static function declared(): array
    {
        $source = file_get_contents(self::ROOT . '/stubs/ratelimit.stub.php');
        foreach (new \RegexIterator(new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator(self::ROOT . '/php')), '/\.php$/') as $file) {
            $source .= file_get_contents($file->getPathname());
        }
        preg_match_all('/\bfunction (\w+)\(/', $source, $methods);
        preg_match_all('/\b(?:class|interface|trait) (\w+)/', $source, $classes);

        return [$methods[1], ['RedisRateLimit', ...$classes[1]]];
    }

    /**
     * Each thing once that the first group of $pattern finds.
     *
     * @param ?list<string> $files null: README.md and docs/
     * @return list<string>
     */
    private static function named(string $pattern, ?array $files = null): array
    {
        preg_match_all($pattern, implode("\n", array_map('file_get_contents', $files ?? MarkdownBlock::files())), $found);

        return array_values(array_unique($found[1]));
    }
}
