<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use RedisRateLimit\Decision;
use RedisRateLimit\Exception;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimitExceeded;

/** The answer is a value: typed, readonly, and the same after a trip through JSON. */
final class DecisionTest extends RedisTestCase
{
    public function testEveryPropertyOfAnAllowedDecision(): void
    {
        $this->clockAt(0.5);
        $decision = $this->limiter->consume(Policy::fixedWindow('api', 10, 60), 'alice', cost: 3);

        self::assertSame([
            'allowed' => true, 'policy' => 'api', 'window' => 'api', 'limit' => 10, 'remaining' => 7, 'cost' => 3, 'delay' => 0.0,
            'retryAfter' => null, 'resetAt' => self::T0 + 60.5, 'reason' => null, 'shadow' => false, 'degraded' => false,
            'cached' => false, 'error' => null, 'windows' => [[
                'window' => 'api', 'allowed' => true, 'limit' => 10, 'remaining' => 7, 'retryAfter' => null, 'resetAt' => self::T0 + 60.5,
            ]],
        ], $this->properties($decision));
    }

    public function testEveryPropertyOfARefusal(): void
    {
        $policy = Policy::fixedWindow('api', 1, 60);
        $this->limiter->consume($policy, 'alice');
        $decision = $this->limiter->consume($policy, 'alice');

        self::assertSame([
            'allowed' => false, 'policy' => 'api', 'window' => 'api', 'limit' => 1, 'remaining' => 0, 'cost' => 1, 'delay' => 0.0,
            'retryAfter' => 60.0, 'resetAt' => self::T0 + 60.0, 'reason' => 'limited', 'shadow' => false, 'degraded' => false,
            'cached' => false, 'error' => null, 'windows' => [[
                'window' => 'api', 'allowed' => false, 'limit' => 1, 'remaining' => 0, 'retryAfter' => 60.0, 'resetAt' => self::T0 + 60.0,
            ]],
        ], $this->properties($decision));
    }

    public function testItCannotBeModified(): void
    {
        $decision = $this->limiter->consume(Policy::fixedWindow('api', 1, 60), 'alice');
        foreach (array_keys($this->properties($decision)) as $property) {
            foreach ([
                static fn () => $decision->$property = 5,
                static function () use ($decision, $property): void {
                    unset($decision->$property);
                },
                static function () use ($decision, $property): void {
                    $reference = &$decision->$property;
                    $reference = 5;
                },
            ] as $modify) {
                try {
                    $modify();
                    self::fail("$property can be modified");
                } catch (\Error $error) {
                    self::assertMatchesRegularExpression('/readonly property/', $error->getMessage());
                }
            }
        }
        $this->expectException(\Error::class);
        $decision->anything = 1;
    }

    public function testItIsMadeByTheExtensionOnly(): void
    {
        $this->expectException(\Error::class);
        $this->expectExceptionMessageMatches('/private/');
        new Decision();
    }

    public function testItCannotBeSerializedBehindItsBack(): void
    {
        $this->expectException(\Exception::class);
        $this->expectExceptionMessageMatches('/Serialization of .* is not allowed/');
        serialize($this->limiter->consume(Policy::fixedWindow('api', 1, 60), 'alice'));
    }

    public function testJsonHasEveryPropertyAndTheTimeAndFromArrayReadsIt(): void
    {
        $policy = Policy::compound('api', Policy::leakyBucket('queue', 3, 1, 2), Policy::fixedWindow('daily', 9, '1 day'));
        foreach ([1, 2, 1, 4] as $cost) {
            $decision = $this->limiter->consume($policy, 'alice', cost: $cost);
            self::assertSame($this->properties($decision) + ['now' => (float) self::T0], $decision->jsonSerialize());

            $copy = Decision::fromArray(json_decode(json_encode($decision), true));

            self::assertSame($this->properties($decision), $this->properties($copy));
            self::assertSame($decision->toHeaders(), $copy->toHeaders());
        }
    }

    public function testFromArrayNamesWhatItCannotUse(): void
    {
        $wrong = ['alowed' => true, 'allowed' => 'yes', 'remaining' => 'few', 'reason' => 'mood', 'windows' => 5]
            + ['limit' => -1, 'cost' => -1, 'retryAfter' => -0.5, 'resetAt' => \NAN, 'delay' => '1'];
        foreach ($wrong as $key => $value) {
            try {
                Decision::fromArray([$key => $value] + ['allowed' => true, 'policy' => 'p', 'limit' => 1, 'remaining' => 1]);
                self::fail("$key was accepted");
            } catch (\InvalidArgumentException $exception) {
                self::assertStringContainsString($key, $exception->getMessage());
            }
        }
    }

    public function testFromArrayNamesAMisspeltKeyOfAWindow(): void
    {
        $window = ['window' => 'p', 'allowed' => false, 'limit' => 1, 'resetAt' => 1.0, 'retryafter' => 2.0];
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('unknown key "retryafter"; the known ones are window, allowed, limit, remaining, retryAfter, resetAt');
        Decision::fromArray(['allowed' => false, 'policy' => 'p', 'limit' => 1, 'windows' => [$window]]);
    }

    /** Names stand in headers. */
    public function testFromArrayTakesNamesThatAPolicyMayHaveOnly(): void
    {
        $window = ['window' => 'api', 'allowed' => true, 'limit' => 1, 'resetAt' => 1.0];
        $data = ['allowed' => true, 'policy' => 'api', 'window' => 'api', 'limit' => 1, 'windows' => [$window]];
        self::assertSame('api', Decision::fromArray($data)->window);
        foreach (["a\r\nSet-Cookie: a=b", 'a";q=9, "b', 'ⓐ', '', str_repeat('a', 65)] as $name) {
            foreach ([['policy' => $name], ['window' => $name], ['windows' => [['window' => $name] + $window]]] as $wrong) {
                try {
                    Decision::fromArray($wrong + $data);
                    self::fail(json_encode($wrong) . ' was accepted');
                } catch (\InvalidArgumentException $exception) {
                    self::assertMatchesRegularExpression('/has a "(policy|window)" that is not a name: 1 to 64 of/', $exception->getMessage());
                }
            }
        }
    }

    public function testEnsureAllowedReturnsItOrThrowsItsRefusal(): void
    {
        $policy = Policy::fixedWindow('api', 1, 60);
        $allowed = $this->limiter->consume($policy, 'alice');
        self::assertSame($allowed, $allowed->ensureAllowed());

        $refused = $this->limiter->consume($policy, 'alice');
        try {
            $refused->ensureAllowed();
            self::fail('nothing was thrown');
        } catch (RateLimitExceeded $exception) {
            self::assertInstanceOf(Exception::class, $exception);
            self::assertInstanceOf(\RuntimeException::class, $exception);
            self::assertSame($refused, $exception->decision);
            self::assertStringContainsString('api', $exception->getMessage());
            self::assertStringContainsString('60', $exception->getMessage());
            self::assertSame(__FILE__, $exception->getFile());
        }
    }

    /** @return array<string, mixed> in the order of their declaration */
    private function properties(Decision $decision): array
    {
        return get_object_vars($decision);
    }
}
