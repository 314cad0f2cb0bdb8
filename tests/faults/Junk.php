<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Decision;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;

/** Random values of every type, the extreme ones among them; and such as a parameter asks for. */
final class Junk
{
    private const INTS = [0, 1, 2, 3, 5, 10, 100, 1000, -1, -5, 255, 65536, 1 << 24, 1 << 31, 1 << 32, 1 << 40, 1 << 53, (1 << 53) + 1, PHP_INT_MAX, PHP_INT_MIN];
    private const FLOATS = [0.0, -0.0, 0.5, 1.0, 1.5, 60.0, 1e-9, 1e-300, 1e9, 1e15, 1e300, -1.0, PHP_FLOAT_MAX, PHP_FLOAT_MIN, PHP_FLOAT_EPSILON, NAN, INF, -INF];
    private const WORDS = [
        '', '0', '1', '-1', '1.5', 'NAN', 'p', 'api', 'a b', 'open', 'closed', '250 ms', '30 seconds', '1 hour', '2 weeks', '1 month', '-1 day', 'soon',
        "nul\0byte", "\xff\xfe", 'ümläut', '{}', '{a}', ':', '%', '../..', "\r\nFLUSHALL\r\n", '*1', '$-1', 'token_bucket', 'sliding_log', 'fixed_window',
        'sliding_window', 'leaky_bucket', 'compound', 'no_limit', 'redis://', 'redis://127.0.0.1:1', 'unix:///nowhere', 'http://x', 'redis-cluster://127.0.0.1:1',
        'redis-sentinel://127.0.0.1:1/m', 'rediss://127.0.0.1:1', 'store_unavailable', 'limited',
    ];
    private const KEYS = [
        'policy', 'limit', 'interval', 'rate', 'amount', 'audit', 'aligned', 'limiters', 'on_failure', 'shadow', 'shared', 'allowed', 'window', 'remaining', 'cost',
        'delay', 'retryAfter', 'resetAt', 'reason', 'degraded', 'cached', 'error', 'windows', 0, 1, '', "\0",
    ];

    /** @param list<object> $objects of the extension, kept from earlier calls */
    public function __construct(private array $objects)
    {
    }

    /** Remembers what a call gave, so that later ones are made with it. */
    public function keep(mixed $value): void
    {
        if (is_object($value)) {
            $this->objects[count($this->objects) < 200 ? count($this->objects) : mt_rand(0, 199)] = $value;
        }
    }

    public function object(?string $class = null): object
    {
        $objects = array_values(array_filter($this->objects, static fn (object $object) => $class === null || $object instanceof $class));

        return $objects[mt_rand(0, count($objects) - 1)];
    }

    /**
     * What the parameter's type asks for, but for so many percent of junk.
     *
     * @param int $percent
     */
    public function for(\ReflectionParameter $parameter, int $percent): mixed
    {
        if (mt_rand(0, 99) < $percent) {
            return $this->any();
        }
        if (in_array($parameter->name, ['name', 'tenant', 'scope', 'interval'], true)) {
            return $parameter->name === 'interval' ? mt_rand(1, 100) : 'word' . mt_rand(0, 20);
        }

        return match (ltrim(explode('|', (string) $parameter->getType())[0], '?')) {
            'RedisRateLimit\Policy' => $this->object(Policy::class),
            'RedisRateLimit\Decision' => $this->object(Decision::class),
            'int' => mt_rand(1, 20),
            'float' => mt_rand(1, 100) / 100,
            'bool' => (bool) mt_rand(0, 1),
            'array' => $this->nearlyRight(),
            default => $this->string(),
        };
    }

    /** A policy or a decision as an array, often with one junk entry. */
    private function nearlyRight(): array
    {
        $object = $this->object(mt_rand(0, 1) === 0 ? Policy::class : Decision::class);
        $array = $object instanceof Policy ? $object->toArray() : $object->jsonSerialize();
        if (mt_rand(0, 1) === 0) {
            $array[mt_rand(0, 1) === 0 && $array !== [] ? array_rand($array) : self::KEYS[array_rand(self::KEYS)]] = $this->any();
        }

        return $array;
    }

    public function any(int $depth = 0): mixed
    {
        return match (mt_rand(0, $depth > 3 ? 5 : 11)) {
            0 => null,
            1 => (bool) mt_rand(0, 1),
            2 => $this->int(),
            3 => $this->float(),
            4, 5 => $this->string(),
            6, 7 => $this->array($depth + 1),
            8 => $this->object(),
            9 => STDERR,
            10 => $this->foreign(),
            11 => static fn () => throw new \LogicException('called'),
        };
    }

    public function int(): int
    {
        return self::INTS[array_rand(self::INTS)];
    }

    public function float(): float
    {
        return self::FLOATS[array_rand(self::FLOATS)];
    }

    public function string(): string
    {
        return match (mt_rand(0, 9)) {
            0 => random_bytes(mt_rand(1, 40)),
            1 => str_repeat(self::WORDS[array_rand(self::WORDS)], mt_rand(1, 300)),
            2 => str_repeat('x', mt_rand(0, 1) === 0 ? mt_rand(60, 140) : 70_000),
            default => self::WORDS[array_rand(self::WORDS)],
        };
    }

    public function array(int $depth = 0): array
    {
        $array = [];
        for ($i = mt_rand(0, 6); $i > 0; $i--) {
            $array[self::KEYS[array_rand(self::KEYS)]] = $this->any($depth + 1);
        }
        if (mt_rand(0, 20) === 0) {
            $array['self'] = &$array;
        }

        return $array;
    }

    /** An object that is none of the extension's and misbehaves. */
    private function foreign(): object
    {
        return match (mt_rand(0, 4)) {
            0 => new \stdClass(),
            1 => new class implements \Stringable {
                public function __toString(): string
                {
                    throw new \LogicException('no string');
                }
            },
            2 => new \DateTimeImmutable('@0'), // of PHP's own; not SimpleXMLElement, which PHP 8.4's garbage collector frees twice
            3 => new \ArrayObject($this->array(4)),
            4 => new RecursiveJson($this->object(RateLimiter::class), $this->object(Policy::class)),
        };
    }
}
