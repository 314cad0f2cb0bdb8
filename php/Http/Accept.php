<?php

declare(strict_types=1);

namespace RedisRateLimit\Http;

/** Reads just enough of an Accept header to choose between JSON and text. */
final class Accept
{
    /** What is refused (q=0) ranks below what is not named. */
    private const REFUSED = -1.0;
    private const NOT_NAMED = 0.0;

    /** JSON unless the client gives some text type a higher quality, or refuses JSON and not all text. */
    public static function prefersJson(string $accept): bool
    {
        $qualities = self::qualities($accept);
        if ($qualities === []) {
            return true;
        }
        $any = $qualities['*/*'] ?? self::NOT_NAMED;
        $json = $qualities['application/json'] ?? $qualities['application/*'] ?? $any;
        $plain = $qualities['text/plain'] ?? $qualities['text/*'] ?? $any;
        $html = $qualities['text/html'] ?? $qualities['text/*'] ?? $any;

        return $json >= max($plain, $html);
    }

    /** @return array<string, float> media type in lower case to its quality or REFUSED */
    private static function qualities(string $accept): array
    {
        $qualities = [];
        foreach (array_filter(array_map('trim', explode(',', strtolower($accept)))) as $range) {
            $parameters = array_map('trim', explode(';', $range));
            $type = array_shift($parameters);
            $type = str_ends_with($type, '+json') ? 'application/json' : $type;
            $quality = 1.0;
            foreach ($parameters as $parameter) {
                $quality = str_starts_with($parameter, 'q=') ? (float) substr($parameter, 2) : $quality;
            }
            $qualities[$type] = max($qualities[$type] ?? 0.0, $quality);
        }

        return array_map(static fn (float $quality): float => $quality === 0.0 ? self::REFUSED : $quality, $qualities);
    }
}
