<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Enforcement;

use RedisRateLimit\Symfony\Attribute\RateLimited;

/** The #[RateLimited] attributes of a controller, found before it is built: a refused request costs no controller. */
final class ControllerLimits
{
    /** @var array<string, list<RateLimited>> */
    private array $known = [];

    /** @param array<string, class-string> $classes of controllers that are services under another id */
    public function __construct(private array $classes = [])
    {
    }

    /**
     * @param mixed $controller the request attribute _controller in any of its forms
     *
     * @return list<RateLimited> the method's first, then the class's
     */
    public function of(mixed $controller): array
    {
        if ($controller instanceof \Closure) {
            return self::attributes(new \ReflectionFunction($controller));
        }
        if (is_object($controller)) {
            $controller = [$controller, '__invoke'];
        }
        if (is_array($controller)) {
            $controller = (is_object($controller[0]) ? $controller[0]::class : $controller[0]) . '::' . $controller[1];
        }

        return is_string($controller) ? $this->known[$controller] ??= $this->read($controller) : [];
    }

    /** @return list<RateLimited> */
    private function read(string $controller): array
    {
        [$class, $method] = array_pad(explode('::', $controller, 2), 2, '__invoke');
        $class = $this->classes[$class] ?? $class;
        if (class_exists($class)) {
            $ofMethod = method_exists($class, $method) ? self::attributes(new \ReflectionMethod($class, $method)) : [];

            return [...$ofMethod, ...self::attributes(new \ReflectionClass($class))];
        }

        return function_exists($controller) ? self::attributes(new \ReflectionFunction($controller)) : [];
    }

    /**
     * @return list<RateLimited>
     *
     * @throws \InvalidArgumentException for a cost below 1
     */
    public static function attributes(\ReflectionClass|\ReflectionFunctionAbstract $reflection): array
    {
        $limits = [];
        foreach ($reflection->getAttributes(RateLimited::class) as $attribute) {
            $limits[] = $attribute->newInstance();
        }

        return $limits;
    }
}
