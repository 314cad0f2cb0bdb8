<?php

declare(strict_types=1);

namespace RedisRateLimit\Demo;

use RedisRateLimit\Tests\Support\HttpResponse;

/** Says what happened, in lines that fit a terminal. */
final class Report
{
    private const BARS = ['·', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    private const HEADERS = [
        'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit-Policy', 'RateLimit', 'Retry-After',
    ];

    private bool $failed = false;

    public function heading(string $text): void
    {
        echo "\n$text\n", str_repeat('─', mb_strlen($text)), "\n";
    }

    public function line(string $text): void
    {
        echo $text, "\n";
    }

    /** One row of a chart. @param list<list<HttpResponse>> $columns the answers of each moment */
    public function row(string $name, array $columns, string $end): void
    {
        $bars = '';
        foreach ($columns as $answers) {
            $passed = count(self::passed($answers));
            // Of a column that is neither empty nor full the bar must look like neither.
            $height = (int) round($passed / count($answers) * 8);
            $bars .= self::BARS[$passed === 0 ? 0 : ($passed === count($answers) ? 8 : max(1, min(7, $height)))];
        }
        printf("  %-26s %s  %s\n", $name, $bars, $end);
    }

    public function headers(HttpResponse $answer): void
    {
        $indent = "    {$answer->status}  ";
        foreach (array_chunk(self::HEADERS, 3) as $names) {
            $shown = array_filter(array_map(static fn (string $name) => self::header($answer, $name), $names));
            echo $indent, implode('   ', $shown), "\n";
            $indent = '         ';
        }
    }

    /** A fact that must hold, or the demo has failed. */
    public function expect(bool $holds, string $fact): void
    {
        $this->failed = $this->failed || !$holds;
        echo $holds ? '  ✓ ' : '  ✗ NOT SO: ', $fact, "\n";
    }

    public function failed(): bool
    {
        return $this->failed;
    }

    /**
     * @param list<HttpResponse> $answers
     * @return list<HttpResponse>
     */
    public static function passed(array $answers): array
    {
        return array_values(array_filter($answers, static fn (HttpResponse $answer) => $answer->status === 200));
    }

    private static function header(HttpResponse $answer, string $name): ?string
    {
        $value = $answer->header($name);

        return $value === null ? null : "$name: $value";
    }
}
