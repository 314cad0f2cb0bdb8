<?php

declare(strict_types=1);

namespace RedisRateLimit;

/** Makes the extension's RateLimiter of configured values, which are text where they come from the environment. */
final class ConfiguredRateLimiter
{
    /**
     * @param ?string $url     null: the ini setting, here and below
     * @param mixed   $timeout seconds, as a number or its text
     *
     * @throws InvalidConfiguration
     */
    public static function create(?string $url, mixed $timeout, ?string $prefix): RateLimiter
    {
        if ($timeout !== null && !is_numeric($timeout)) {
            throw new InvalidConfiguration(sprintf('"%s" is not a timeout: give a number of seconds, as 0.05.', is_string($timeout) ? $timeout : get_debug_type($timeout)));
        }

        return new RateLimiter($url, $timeout === null ? null : (float) $timeout, $prefix);
    }
}
