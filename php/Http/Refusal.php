<?php

declare(strict_types=1);

namespace RedisRateLimit\Http;

use RedisRateLimit\Decision;

/** What a refused client is told: 429, or 503 where a fail-closed policy could not ask Redis. */
final class Refusal
{
    /** @param array<string, string> $headers without those of Headers, which adapters add to every response */
    private function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }

    /** @param string $accept the request's Accept header: JSON, or text for a client that prefers it */
    public static function of(Decision $decision, string $accept = ''): self
    {
        $message = self::message($decision);
        $json = Accept::prefersJson($accept);
        $body = $json
            ? json_encode(['error' => 'rate_limited', 'message' => $message, 'retry_after' => self::retryAfter($decision)], \JSON_THROW_ON_ERROR)
            : $message . "\n";

        return new self(
            $decision->degraded ? 503 : 429,
            ['Content-Type' => $json ? 'application/json' : 'text/plain; charset=utf-8', 'Cache-Control' => 'no-store'],
            $body,
        );
    }

    /** @return ?int whole seconds as in Retry-After; null where no wait is known to help */
    public static function retryAfter(Decision $decision): ?int
    {
        $seconds = $decision->toHeaders()['Retry-After'] ?? null;

        return $seconds === null ? null : (int) $seconds;
    }

    public static function message(Decision $decision): string
    {
        if ($decision->degraded) {
            return 'The rate limit cannot be checked at the moment.';
        }
        $seconds = self::retryAfter($decision);

        return match ($seconds) {
            null => 'This request costs more than the rate limit ever allows.',
            1 => 'Too many requests. Try again in 1 second.',
            default => "Too many requests. Try again in $seconds seconds.",
        };
    }
}
