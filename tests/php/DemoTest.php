<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\Tests\Support\Php;

/** What `make demo` runs once all is built. */
final class DemoTest extends TestCase
{
    public function testItShowsEveryPolicyAndEndsWell(): void
    {
        $result = Php::invoke([dirname(__DIR__, 2) . '/demo/run.php']);

        self::assertSame(0, $result['exit'], $result['stdout'] . $result['stderr']);
        self::assertSame('', $result['stderr']);
        self::assertSame(7, preg_match_all('/^  [a-z-]+ .*  100 passed$/mu', $result['stdout']), $result['stdout']);
        self::assertSame(7, preg_match_all('/^    200  X-RateLimit-Limit: 100   X-RateLimit-Remaining: 0 /m', $result['stdout']));
        self::assertSame(7, preg_match_all('/^    429  X-RateLimit-Limit: 100 /m', $result['stdout']));
        self::assertStringContainsString('Redis saw 4 connections', $result['stdout']);
        self::assertStringNotContainsString('NOT SO', $result['stdout']);
    }
}
