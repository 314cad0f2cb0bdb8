<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/** One way to spend a round trip, called over and over, and what every call of it must answer. */
final class Contender
{
    /**
     * @param \Closure(): bool $call    whether the request may pass
     * @param ?bool            $allows  what every call must answer; null: either
     * @param ?\Closure        $prepare called before each batch, not measured
     */
    public function __construct(
        public readonly string $name,
        public readonly \Closure $call,
        public readonly ?bool $allows = true,
        public readonly ?\Closure $prepare = null,
    ) {
    }

    /** The microseconds that one call takes, measured over $calls of them. */
    public function time(int $calls): float
    {
        if ($this->prepare) {
            ($this->prepare)();
        }
        $call = $this->call;
        $allowed = 0;
        $start = hrtime(true);
        for ($i = 0; $i < $calls; $i++) {
            if ($call()) {
                $allowed++;
            }
        }
        $micros = (hrtime(true) - $start) / 1e3 / $calls;
        if ($this->allows !== null && $allowed !== ($this->allows ? $calls : 0)) {
            throw new \LogicException("{$this->name}: $allowed of $calls calls were allowed");
        }

        return $micros;
    }
}
