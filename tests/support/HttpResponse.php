<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

final class HttpResponse
{
    /** @var array<string, string> by lower-case name */
    public readonly array $headers;

    public function __construct(public readonly int $status, string $head, public readonly string $body)
    {
        preg_match_all('/^([^:\r\n]+): *(.*?)\r?$/m', $head, $matches);
        $this->headers = array_combine(array_map('strtolower', $matches[1]), $matches[2]);
    }

    public function header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }
}
