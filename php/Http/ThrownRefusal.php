<?php

declare(strict_types=1);

namespace RedisRateLimit\Http;

use RedisRateLimit\Decision;
use RedisRateLimit\RateLimitExceeded;
use Symfony\Component\HttpKernel\Exception\HttpExceptionInterface;

/** Finds what Decision::ensureAllowed() threw in what arrives, for templates and message buses wrap what is thrown in them. */
final class ThrownRefusal
{
    /** @return ?Decision null: none, or the application has made an HTTP error of its own of it, which stays */
    public static function of(\Throwable $thrown): ?Decision
    {
        for ($cause = $thrown; $cause !== null && !$cause instanceof HttpExceptionInterface; $cause = $cause->getPrevious()) {
            if ($cause instanceof RateLimitExceeded) {
                return $cause->decision;
            }
        }

        return null;
    }
}
