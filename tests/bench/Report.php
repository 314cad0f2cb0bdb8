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

    /** @param array<string, mixed> $measuredWith see Environment */
    public function json(array $measuredWith): string
    {
        $rounded = $this->groups;
        array_walk_recursive($rounded, static function (float &$value): void {
            $value = round($value, 3);
        });
        $all = ['measured_with' => $measuredWith, 'targets' => Targets::of($this), 'results' => $rounded];

        return json_encode($all, JSON_THROW_ON_ERROR | JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES) . "\n";
    }

    /** What the project aims at, and whether these figures keep it. */
    public function targets(): string
    {
        return implode("\n", ['', 'targets', ...Targets::of($this), '']);
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
