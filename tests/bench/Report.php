<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/** All results: as tables, as JSON, and against the targets. */
final class Report
{
    /** @var array<string, array<string, array<string, float>>> group, name, column */
    private array $groups = [];

    /**
     * @param list<array{string, string, string, float}> $results
     * @return string their tables
     */
    public function add(array $results): string
    {
        foreach ($results as [$group, $name, $column, $value]) {
            $this->groups[$group][$name][$column] = $value;
        }

        return implode('', array_map($this->table(...), array_unique(array_column($results, 0))));
    }

    public function value(string $group, string $name, string $column): ?float
    {
        return $this->groups[$group][$name][$column] ?? null;
    }

    /** @return array<string, array<string, float>> name, column */
    public function group(string $group): array
    {
        return $this->groups[$group] ?? [];
    }

    public function json(): string
    {
        $rounded = $this->groups;
        array_walk_recursive($rounded, static function (float &$value): void {
            $value = round($value, 3);
        });
        $versions = ['php' => PHP_VERSION, 'ratelimit' => phpversion('ratelimit'), 'phpredis' => phpversion('redis'), 'system' => php_uname('srm')];

        return json_encode(['measured_with' => $versions, 'results' => $rounded], JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES) . "\n";
    }

    /** What the project promises, and whether these figures keep it. */
    public function targets(): string
    {
        $lines = '';
        foreach (Targets::of($this) as ['text' => $text, 'most' => $most, 'value' => $value]) {
            if ($value !== null) {
                $lines .= sprintf("%-86s %8.3f  at most %6.2f  %s\n", $text, $value, $most, $value <= $most ? 'kept' : 'MISSED');
            }
        }

        return "\ntargets\n$lines";
    }

    private function table(string $group): string
    {
        $rows = $this->groups[$group];
        $columns = array_keys(array_merge(...array_values($rows)));
        $text = sprintf("\n%-58s%s\n", $group, implode('', array_map(self::cell(...), $columns)));
        foreach ($rows as $name => $values) {
            $cells = array_map(static fn (string $column): string => self::cell(self::number($values[$column] ?? null)), $columns);
            $text .= sprintf("  %s%s%s\n", $name, str_repeat(' ', max(1, 56 - mb_strlen($name))), implode('', $cells));
        }

        return $text;
    }

    private static function cell(string $text): string
    {
        return str_repeat(' ', max(1, 18 - mb_strlen($text))) . $text;
    }

    private static function number(?float $value): string
    {
        return $value === null ? '' : number_format($value, $value < 100 ? 3 - (int) ($value >= 10) : 0);
    }
}
