<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/**
 * Measures contenders in one process, in many short batches that take turns, each as a multiple of the first
 * contender's batch in the same round: what else the machine does falls on all of them alike.
 */
final class Rounds
{
    public function __construct(private readonly int $rounds, private readonly int $calls = 20)
    {
    }

    /**
     * @param list<Contender> $contenders the first one is the measure of the others
     * @return array<string, array{ratio: float, micros: float}> medians, by name
     */
    public function measure(array $contenders): array
    {
        $times = [];
        for ($round = -3; $round < $this->rounds; $round++) {
            // Another one begins each round, so that none always follows the same one.
            foreach (array_keys($contenders) as $i) {
                $contender = $contenders[($i + $round + 3) % count($contenders)];
                $time = $contender->time($this->calls);
                if ($round >= 0) { // before that they warm up
                    $times[$contender->name][$round] = $time;
                }
            }
        }
        $unit = $times[$contenders[0]->name];
        $results = [];
        foreach ($contenders as $contender) {
            $own = $times[$contender->name];
            $ratios = array_map(static fn (int $round): float => $own[$round] / $unit[$round], array_keys($own));
            $results[$contender->name] = ['ratio' => self::median($ratios), 'micros' => self::median($own)];
        }

        return $results;
    }

    /** @param non-empty-array<float> $values */
    public static function median(array $values): float
    {
        return self::quantile($values, 0.5);
    }

    /** @param non-empty-array<float> $values */
    public static function quantile(array $values, float $share): float
    {
        sort($values);

        return $values[(int) (count($values) * $share)];
    }
}
