<?php

declare(strict_types=1);

namespace RedisRateLimit\Http;

use RedisRateLimit\Decision;
use RedisRateLimit\RateLimitExceeded;
use Symfony\Component\HttpKernel\Exception\HttpExceptionInterface;
use Symfony\Component\Security\Core\Exception\AccessDeniedException;
use Symfony\Component\Security\Core\Exception\AuthenticationException;

/** Finds what Decision::ensureAllowed() threw in what arrives, for templates and message buses wrap what is thrown in them. */
final class ThrownRefusal
{
    /** @return ?Decision null: none, or the application has made an error of its own of it that says what to answer: it stays */
    public static function of(\Throwable $thrown): ?Decision
    {
        for ($cause = $thrown; $cause !== null && !self::isAnswer($cause); $cause = $cause->getPrevious()) {
            if ($cause instanceof RateLimitExceeded) {
                return $cause->decision;
            }
        }

        return null;
    }

    /** HTTP's, in Symfony's and Laravel's words or in Slim's, or what a firewall makes such a one of. */
    private static function isAnswer(\Throwable $cause): bool
    {
        return $cause instanceof HttpExceptionInterface || is_a($cause, 'Slim\Exception\HttpException')
            || $cause instanceof AccessDeniedException || $cause instanceof AuthenticationException;
    }
}
