<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

use RedisRateLimit\Bench\Measurements\CostAgainstSize;

/** The plot for the README: what a decision takes beside its peers, and how little size matters. */
final class Chart
{
    private const WIDTH = 900;
    private const BAR = 24;
    private const BARS_LEFT = 330;
    private const LINES_TOP = 300;
    private const LINES_HEIGHT = 240;
    private const COLOURS = ['ours' => '#2a6f97', 'peer' => '#adb5bd', 'token bucket' => '#2a6f97', 'sliding log' => '#c05621'];

    public function __construct(private readonly Report $report)
    {
    }

    public function svg(): string
    {
        [$width, $height] = [self::WIDTH, self::LINES_TOP + self::LINES_HEIGHT + 90];

        return <<<SVG
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $width $height" font-family="sans-serif" font-size="13">
            <rect width="$width" height="$height" fill="#ffffff"/>
            {$this->bars()}
            {$this->lines()}
            </svg>

            SVG;
    }

    private function bars(): string
    {
        $ratios = ['phpredis PING' => 1.0];
        foreach (['refused from memory' => ['ours: token bucket' => 'ours: refused from memory'], 'unix socket, refused by Redis' => ['ours: token bucket' => 'ours: refused by Redis']] as $group => $names) {
            foreach ($names as $name => $label) {
                $ratios[$label] = $this->report->value($group, $name, '× PING') ?? 0.0;
            }
        }
        $ratios['ours: allowed'] = $this->report->value('unix socket, allowed', 'ours: token bucket', '× PING') ?? 0.0;
        $ratios['by hand: phpredis and Lua'] = $this->report->value('unix socket, allowed', 'by hand: token bucket', '× PING') ?? 0.0;
        foreach ($this->report->group('beside frameworks, allowed') as $name => $values) {
            if (str_contains($name, 'Laravel') || str_contains($name, 'Symfony')) {
                $ratios[$name] = $values['× PING'];
            }
        }
        $scale = (self::WIDTH - self::BARS_LEFT - 60) / max($ratios);
        $svg = self::text(20, 28, 'Time of one decision (token bucket, unix socket), as a multiple of a PING by phpredis', 'font-weight="bold"');
        $y = 45;
        foreach ($ratios as $name => $ratio) {
            $colour = self::COLOURS[str_starts_with($name, 'ours') ? 'ours' : 'peer'];
            $svg .= self::text(self::BARS_LEFT - 8, $y + 14, $name, 'text-anchor="end"');
            $svg .= sprintf('<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>', self::BARS_LEFT, $y, max(1, $ratio * $scale), self::BAR - 6, $colour);
            $svg .= self::text(self::BARS_LEFT + 6 + $ratio * $scale, $y + 14, rtrim(rtrim(sprintf('%.2f', $ratio), '0'), '.'));
            $y += self::BAR;
        }

        return $svg;
    }

    private function lines(): string
    {
        $series = [];
        foreach ($this->report->group(CostAgainstSize::GROUP) as $name => $columns) {
            if (preg_match('/^(token bucket|sliding log) (?:of|with) ([\d,]+)/', $name, $match)) {
                foreach ($columns as $keys => $rate) {
                    $series["$match[1], $keys"][(int) str_replace(',', '', $match[2])] = $rate;
                }
            }
        }
        if ($series === []) {
            return '';
        }
        $highest = ceil(max(array_map(max(...), $series)) / 10_000) * 10_000;
        $x = static fn (int $limit): float => 90 + (log10($limit) - 1) / 4 * (self::WIDTH - 360);
        $y = static fn (float $rate): float => self::LINES_TOP + 30 + self::LINES_HEIGHT * (1 - $rate / $highest);
        $svg = self::text(20, self::LINES_TOP, 'Decisions per second of one client against the limit, with few and many keys in Redis', 'font-weight="bold"');
        foreach ([0, $highest / 2, $highest] as $rate) {
            $svg .= sprintf('<path d="M90 %.1f H%d" stroke="#dee2e6"/>', $y($rate), self::WIDTH - 260) . self::text(82, $y($rate) + 4, number_format($rate), 'text-anchor="end"');
        }
        foreach (array_keys(reset($series)) as $limit) {
            $svg .= self::text($x($limit), $y(0) + 20, number_format($limit), 'text-anchor="middle"');
        }
        foreach (array_keys($series) as $row => $name) {
            $points = array_map(static fn (int $limit, float $rate): string => sprintf('%.1f,%.1f', $x($limit), $y($rate)), array_keys($series[$name]), $series[$name]);
            $style = sprintf('stroke="%s" stroke-width="2"%s fill="none"', self::COLOURS[strstr($name, ',', true)], str_contains($name, ', 1,000 keys') ? '' : ' stroke-dasharray="6 4"');
            $svg .= sprintf('<polyline points="%s" %s/>', implode(' ', $points), $style);
            $legend = self::LINES_TOP + 60 + 22 * $row;
            $svg .= sprintf('<path d="M%d %d h26" %s/>', self::WIDTH - 250, $legend, $style) . self::text(self::WIDTH - 216, $legend + 4, $name);
        }

        return $svg;
    }

    private static function text(float $x, float $y, string $text, string $attributes = ''): string
    {
        return sprintf('<text x="%.1f" y="%.1f" %s>%s</text>' . "\n", $x, $y, $attributes, htmlspecialchars($text));
    }
}
