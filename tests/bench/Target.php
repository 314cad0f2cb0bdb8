<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/** A figure that this project promises, as it was measured. */
final class Target implements \JsonSerializable
{
    /**
     * @param float  $most  what the value is to be at most
     * @param ?float $floor what the value would be of a script that decides nothing, where that says something
     */
    public function __construct(
        public readonly string $text,
        public readonly float $most,
        public readonly float $value,
        public readonly ?float $floor,
    ) {
    }

    public function __toString(): string
    {
        $floor = $this->floor === null ? '' : sprintf('  floor %6.3f', $this->floor);

        return rtrim(sprintf('%-84s %8.3f  at most %5.2f  %-6s%s', $this->text, $this->value, $this->most, $this->isKept() ? 'kept' : 'MISSED', $floor));
    }

    /** @return array<string, string|float|bool|null> */
    public function jsonSerialize(): array
    {
        return [
            'text' => $this->text,
            'most' => $this->most,
            'value' => round($this->value, 3),
            'kept' => $this->isKept(),
            'floor' => $this->floor === null ? null : round($this->floor, 3),
        ];
    }

    private function isKept(): bool
    {
        return $this->value <= $this->most;
    }
}
