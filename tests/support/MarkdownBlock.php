<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/** A fenced block of README.md or docs/*.md. */
final class MarkdownBlock
{
    /**
     * @param string  $place    "docs/symfony.md:12"
     * @param string  $language what stands behind the fence, "" where nothing does
     * @param ?string $testedBy the test that the comment above it names: <!-- tested by tests/php/…Test.php -->
     * @param ?string $output   what a program prints: the block of text below it, or below the next one and "Both print:"
     */
    private function __construct(
        public readonly string $place,
        public readonly string $language,
        public readonly string $code,
        public readonly ?string $testedBy,
        public readonly ?string $output,
    ) {
    }

    public function isProgram(): bool
    {
        return str_starts_with($this->code, '<?php');
    }

    /** @return list<string> README.md and docs/*.md */
    public static function files(): array
    {
        $root = dirname(__DIR__, 2);

        return ["$root/README.md", ...glob("$root/docs/*.md")];
    }

    /** @return list<self> those of all files, in order */
    public static function all(): array
    {
        return array_merge(...array_map(self::of(...), self::files()));
    }

    /** @return list<self> */
    public static function of(string $file): array
    {
        $text = file_get_contents($file);
        $fence = '/(?:^<!-- tested by (?<test>\S+) -->\n)?^```(?<language>\w*)\n(?<code>.*?)^```$'
            . '(?=\s*(?<both>Both print:)?\s*(?:```text\n(?<output>.*?)^```$)?)/ms';
        preg_match_all($fence, $text, $matches, PREG_SET_ORDER | PREG_OFFSET_CAPTURE | PREG_UNMATCHED_AS_NULL);
        $blocks = [];
        $both = null;
        foreach (array_reverse($matches) as $match) {
            $output = $match['output'][0] ?? null;
            $blocks[] = new self(
                substr($file, strlen(dirname(__DIR__, 2)) + 1) . ':' . (substr_count($text, "\n", 0, $match[0][1]) + 1),
                $match['language'][0],
                $match['code'][0],
                $match['test'][0] ?? null,
                $output ?? $both,
            );
            $both = isset($match['both'][0]) ? $output : null;
        }

        return array_reverse($blocks);
    }

    /** The only block of this language in $file whose code holds $words. */
    public static function with(string $file, string $language, string $words): string
    {
        $found = array_filter(
            self::of(dirname(__DIR__, 2) . "/$file"),
            static fn (self $block): bool => $block->language === $language && str_contains($block->code, $words),
        );

        return count($found) === 1 ? reset($found)->code : throw new \OutOfBoundsException(count($found) . " blocks of $file hold '$words'");
    }
}
