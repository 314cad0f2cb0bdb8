<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Enforcement;

use RedisRateLimit\Symfony\Attribute\RateLimited;
use Symfony\Component\HttpFoundation\Request;

/**
 * The policies that the configuration gives to a route: those of its name, else those of the first pattern that fits,
 * else the default one. A pattern is matched with the route's name, or with the path if it begins with a slash; in it
 * * stands for any characters and ? for one.
 */
final class RouteLimits
{
    /** Of UTF-8; a path need not be UTF-8 as a whole. */
    private const CHARACTER = '(?>[^\x80-\xBF][\x80-\xBF]*|.)';

    private const INTERNAL = '/^_(?:profiler|wdt)/';

    /** @var array<string, list<RateLimited>> of the routes that are configured by name, made when first asked for */
    private array $known = [];

    /** @param array<string, list<string>> $routes route name or pattern to policies */
    public function __construct(private array $routes, private ?string $default)
    {
    }

    /** @return list<RateLimited> */
    public function of(Request $request): array
    {
        $route = (string) $request->attributes->get('_route');
        if (isset($this->routes[$route])) {
            return $this->known[$route] ??= self::limits($this->routes[$route]);
        }
        $path = null;
        foreach ($this->routes as $pattern => $policies) {
            if (self::fits((string) $pattern, str_starts_with((string) $pattern, '/') ? $path ??= Path::of($request) : $route)) {
                return self::limits($policies);
            }
        }

        return $this->default === null || preg_match(self::INTERNAL, $route) === 1 ? [] : self::limits([$this->default]);
    }

    /**
     * @param list<string> $policies
     *
     * @return list<RateLimited>
     */
    private static function limits(array $policies): array
    {
        return array_map(static fn (string|int $policy): RateLimited => new RateLimited((string) $policy), $policies);
    }

    /** Not fnmatch(): it throws at a NUL byte and knows no path over 4,096 bytes, and clients may send both. */
    private static function fits(string $pattern, string $subject): bool
    {
        if (strncmp($pattern, $subject, strcspn($pattern, '*?')) !== 0) {
            return false; // as most do, before there is a regex to build
        }
        $quoted = static fn (string $part): string => strtr(preg_quote($part, '/'), ['\\?' => self::CHARACTER]);
        $between = array_map($quoted, explode('*', $pattern));
        $regex = array_shift($between);
        $end = array_pop($between);
        foreach ($between as $part) {
            $regex .= "(?>.*?$part)"; // the first place will do: trying others takes more steps than PCRE allows
        }

        return preg_match("/^$regex" . ($end === null ? '' : ".*$end") . '$/Ds', $subject) === 1;
    }
}
