<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Tests\Support\RedisServer;

/** A server that answers every decision with an error reply, until it is mended. */
final class Fault
{
    /**
     * @param string        $says what the decision's error must hold
     * @param \Closure|null $mend ends the fault, if anything can
     */
    public function __construct(
        public readonly RedisServer $redis,
        public readonly string $says,
        public readonly ?\Closure $mend,
        private readonly ?string $url = null,
    ) {
    }

    public function url(): string
    {
        return $this->url ?? $this->redis->tcpUrl();
    }
}
