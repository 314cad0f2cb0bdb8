<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel;

use Closure;
use Illuminate\Container\Container;
use Illuminate\Http\Request;
use RedisRateLimit\Tenant\Tenant;

/** Says whom a request counts for: a closure of the application first, then the resolvers of its configuration. */
final class Tenants
{
    /** @var (Closure(Request): ?string)|null */
    private ?Closure $own = null;

    /** @param list<string> $resolvers "user", "token", "header:NAME", "ip" or an invokable class */
    public function __construct(private readonly array $resolvers)
    {
    }

    /** @param Closure(Request): ?string $resolver null or an empty string leaves the request to the configured ones */
    public function using(Closure $resolver): void
    {
        $this->own = $resolver;
    }

    public function of(Request $request): string
    {
        $tenant = (string) ($this->own === null ? null : ($this->own)($request));
        foreach ($this->resolvers as $resolver) {
            if ($tenant !== '') {
                break;
            }
            $tenant = (string) $this->resolve($resolver, $request);
        }

        return $tenant === '' ? Tenant::ip($request->ip()) : $tenant;
    }

    private function resolve(string $resolver, Request $request): ?string
    {
        return match (true) {
            $resolver === 'user' => self::user((string) $request->user()?->getAuthIdentifier()),
            $resolver === 'token' => self::secret((string) $request->bearerToken()),
            $resolver === 'ip' => Tenant::ip($request->ip()),
            str_starts_with($resolver, 'header:') => self::secret((string) $request->headers->get(substr($resolver, 7))),
            class_exists($resolver) => Container::getInstance()->make($resolver)($request),
            default => throw new \InvalidArgumentException(sprintf(
                'The tenant resolver "%s" in config/ratelimit.php is neither "user", "token", "header:NAME", "ip" nor a class.',
                $resolver,
            )),
        };
    }

    private static function user(string $id): ?string
    {
        return $id === '' ? null : Tenant::user($id);
    }

    private static function secret(#[\SensitiveParameter] string $secret): ?string
    {
        return $secret === '' ? null : Tenant::secret($secret);
    }
}
