<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Http;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RedisRateLimit\Http\Accept;

final class AcceptTest extends TestCase
{
    /** @dataProvider headers */
    #[DataProvider('headers')]
    public function testJsonUnlessTextIsPreferred(string $accept, bool $json): void
    {
        $this->assertSame($json, Accept::prefersJson($accept));
    }

    /** @return list<array{string, bool}> */
    public static function headers(): array
    {
        return [
            ['', true],
            ['*/*', true],
            ['application/json', true],
            ['application/problem+json', true],
            ['text/html, application/json', true],
            ['text/html;q=0.5, application/json;q=0.4', false],
            ['text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8', false],
            ['text/plain', false],
            ['text/*', false],
            ['TEXT/PLAIN', false],
            ['text/plain;q=0, application/*', true],
            ['text/plain; charset=utf-8; q=0.9, */*; q=0.1', false],
            ['image/png', true],
            ['application/json;q=0', false],
            ['application/json; q=0.0, image/png', false],
            ['application/*;q=0', false],
            ['application/json, application/*;q=0', true],
            ['text/*;q=0', true],
            ['*/*;q=0', true],
            [',;q=,,', true],
        ];
    }
}
