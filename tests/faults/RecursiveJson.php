<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;

/** Decides while it is being encoded, and holds itself. */
final class RecursiveJson implements \JsonSerializable
{
    public function __construct(private RateLimiter $limiter, private Policy $policy)
    {
    }

    public function jsonSerialize(): array
    {
        return [$this->policy, $this->limiter->peek($this->policy, 'json'), json_encode([$this->policy, $this->limiter]), $this];
    }
}
