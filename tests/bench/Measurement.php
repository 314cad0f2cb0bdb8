<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/** Something to measure, in a PHP process of its own (see measure.php). */
interface Measurement
{
    /** @return array<string, string> settings of that process */
    public static function ini(): array;

    /**
     * @param bool $quick only a rough figure is wanted
     * @return list<Result>
     */
    public static function run(bool $quick): array;
}
