<?php

declare(strict_types=1);

namespace RedisRateLimit\Testing;

use PHPUnit\Framework\Assert;

/** PHPUnit's assertion where PHPUnit runs the test, an exception elsewhere. */
final class Assertion
{
    public static function that(bool $holds, string $message): void
    {
        if (class_exists(Assert::class)) {
            Assert::assertTrue($holds, $message);
        } elseif (!$holds) {
            throw new \LogicException($message);
        }
    }
}
