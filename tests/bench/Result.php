<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/** One number that was measured. Groups are tables of their own. */
final class Result implements \JsonSerializable
{
    public function __construct(
        public readonly string $group,
        public readonly string $name,
        public readonly string $column,
        public readonly float $value,
    ) {
    }

    /** @return list<string|float> */
    public function jsonSerialize(): array
    {
        return [$this->group, $this->name, $this->column, $this->value];
    }
}
