<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Middleware;

/** How one Limit stands after it was asked. */
final class Window
{
    /**
     * @param int $retryAfter whole seconds until the window ends
     * @param int $resetAt    the Unix second at which it ends
     */
    private function __construct(
        public readonly bool $allowed,
        public readonly int $remaining,
        public readonly int $retryAfter,
        public readonly int $resetAt,
    ) {
    }

    /** @param array{allowed: bool, remaining: int, retryAfter: ?float, resetAt: float, ...} $state of Decision::$windows */
    public static function of(array $state): self
    {
        $retryAfter = max(1, (int) ceil($state['retryAfter'] ?? 0));

        return new self($state['allowed'], $state['remaining'], $retryAfter, (int) ceil($state['resetAt']));
    }

    /** That of a limit of nothing: it refuses everybody and needs no counter. */
    public static function closed(float $seconds): self
    {
        $wait = max(1, (int) ceil($seconds));

        return new self(false, 0, $wait, time() + $wait);
    }

    /** That of no time, as throttle:60,0 asks for: as with Laravel it limits nobody, and all of it is always left. */
    public static function over(int $limit): self
    {
        return new self(true, $limit, 0, time());
    }
}
