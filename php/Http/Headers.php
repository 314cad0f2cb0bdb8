<?php

declare(strict_types=1);

namespace RedisRateLimit\Http;

use RedisRateLimit\Decision;

/** The rate limit headers of a response: those of the most restrictive of the decisions that were taken for it. */
final class Headers
{
    public const MODES = ['legacy', 'standard', 'both', 'none'];

    private string $mode;

    /**
     * @param ?string $mode legacy: X-RateLimit-*, standard: RateLimit and RateLimit-Policy of the IETF draft, both or
     *                      none; a refusal carries Retry-After in every mode. Null, or empty as a variable of the
     *                      environment can be: legacy
     *
     * @throws \InvalidArgumentException for another mode
     */
    public function __construct(?string $mode = 'legacy')
    {
        $this->mode = $mode === null || $mode === '' ? 'legacy' : $mode;
        if (!in_array($this->mode, self::MODES, true)) {
            throw new \InvalidArgumentException(sprintf('Rate limit headers can be "%s", not "%s".', implode('", "', self::MODES), $mode));
        }
    }

    /** @return array<string, string> none where nothing was decided */
    public function of(?Decision $decision): array
    {
        return $decision === null ? [] : match ($this->mode) {
            'legacy' => $decision->toHeaders(),
            'standard' => $decision->toStandardHeaders(),
            'both' => $decision->toHeaders() + $decision->toStandardHeaders(),
            'none' => array_intersect_key($decision->toHeaders(), ['Retry-After' => true]),
        };
    }

    /**
     * The decision that its client meets first. A refusal before a pass; of refusals one that no waiting helps, then
     * the longest wait. Of passes the one that leaves the fewest calls of the same cost (a count, not a fraction:
     * 1 of 2 left ends sooner than 5 of 1,000), then the one that resets last. What only shadow mode lets pass stops
     * nobody, and a degraded one knows no numbers: last.
     */
    public static function mostRestrictive(Decision ...$decisions): ?Decision
    {
        $first = null;
        foreach ($decisions as $decision) {
            if ($first === null || self::rank($decision) < self::rank($first)) {
                $first = $decision;
            }
        }

        return $first;
    }

    /** @return list<int|float> of equal length, compared item by item, the smallest first */
    private static function rank(Decision $decision): array
    {
        if (!$decision->allowed) {
            return [0, (int) $decision->degraded, 0, -($decision->retryAfter ?? \INF), 0];
        }

        $left = intdiv($decision->remaining, max(1, $decision->cost));

        return [1, (int) $decision->degraded, (int) $decision->shadow, $left, -($decision->resetAt ?? 0.0)];
    }
}
