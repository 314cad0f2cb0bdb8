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
    public function __construct(
        public readonly bool $allowed,
        public readonly int $remaining,
        public readonly int $retryAfter,
        public readonly int $resetAt,
    ) {
    }
}
