<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/** A Decision's properties in plain PHP: what it costs to build one, without deciding anything. */
final class DecisionLike
{
    public const NAME = 'floor: a PHP object like a Decision';

    public function __construct(
        public readonly bool $allowed,
        public readonly string $policy,
        public readonly string $window,
        public readonly int $limit,
        public readonly int $remaining,
        public readonly int $cost,
        public readonly float $delay,
        public readonly ?float $retryAfter,
        public readonly ?float $resetAt,
        public readonly ?string $reason,
        public readonly bool $shadow,
        public readonly bool $degraded,
        public readonly bool $cached,
        public readonly ?string $error,
        public readonly array $windows,
    ) {
    }

    public static function make(): bool
    {
        $now = hrtime(true) / 1e9;
        $window = ['window' => 'empty', 'allowed' => true, 'limit' => 1, 'remaining' => 0, 'retryAfter' => $now, 'resetAt' => $now];
        $decision = new self(false, 'empty', 'empty', 1, 0, 1, 0.0, $now, $now, 'limited', false, false, true, null, [$window]);

        return $decision->allowed;
    }
}
