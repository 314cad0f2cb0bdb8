<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\InvalidConfiguration;
use RedisRateLimit\InvalidPolicy;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;

/** How objects of the extension come to be, and how they do not. */
final class ConstructionTest extends RedisTestCase
{
    /** @dataProvider configurations */
    #[DataProvider('configurations')]
    public function testAConstructorSaysWhatItCannotUse(array $arguments, string $named): void
    {
        try {
            new RateLimiter(...$arguments);
            self::fail('nothing was thrown');
        } catch (InvalidConfiguration $exception) {
            self::assertStringContainsString($named, $exception->getMessage());
            self::assertStringNotContainsString('secret', $exception->getMessage());
        }
    }

    /** @return array<string, array{array<string, mixed>, string}> */
    public static function configurations(): array
    {
        return [
            'scheme' => [['url' => 'http://:secret@localhost'], 'http'],
            'no url' => [['url' => ''], 'redis://'],
            // What stands in the place of a port may be a password whose user was forgotten: it is not shown.
            'port' => [['url' => 'redis://user:secret'], 'port'],
            'database' => [['url' => 'redis://:secret@localhost/first'], 'database'],
            'timeout 0' => [['timeout' => 0.0], '0'],
            'timeout below 0' => [['timeout' => -1.5], '-1.5'],
            'timeout NAN' => [['timeout' => NAN], 'NaN'],
            'timeout INF' => [['timeout' => INF], 'inf'],
            'prefix' => [['prefix' => ''], 'prefix'],
        ];
    }

    public function testASecondConstructorCallChangesNothing(): void
    {
        try {
            $this->limiter->__construct('redis://127.0.0.1:1');
        } catch (\Error) {
        }
        self::assertAllowed(4, $this->limiter->consume(Policy::fixedWindow('p', 5, 60), 'alice'));
    }

    public function testTheClassesCanBeNeitherExtendedNorSerialized(): void
    {
        foreach ([$this->limiter, Policy::unlimited('p')] as $object) {
            self::assertTrue((new \ReflectionClass($object))->isFinal());
            try {
                serialize($object);
                self::fail($object::class . ' was serialized');
            } catch (\Exception $exception) {
                self::assertStringContainsString('is not allowed', $exception->getMessage());
            }
        }
    }

    public function testExceptionsCanBeMadeByUsersOfTheExtension(): void
    {
        $previous = new \LogicException('cause');
        foreach ([InvalidPolicy::class, InvalidConfiguration::class, \RedisRateLimit\StoreUnavailable::class] as $class) {
            $exception = new $class('text', 5, $previous);
            self::assertInstanceOf(\RedisRateLimit\Exception::class, $exception);
            self::assertSame(['text', 5, $previous], [$exception->getMessage(), $exception->getCode(), $exception->getPrevious()]);
        }
    }
}
