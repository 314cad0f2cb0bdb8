<?php

declare(strict_types=1);

namespace RedisRateLimit;

/** A policy name that the configuration does not hold. */
final class UnknownPolicy extends \InvalidArgumentException implements Exception
{
    /** @param list<string> $known */
    public static function named(string $name, array $known): self
    {
        $list = $known === [] ? 'none is configured' : 'known are "' . implode('", "', $known) . '"';

        return new self(sprintf('There is no rate limit policy "%s": %s.', $name, $list));
    }
}
