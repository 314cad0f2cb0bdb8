<?php

declare(strict_types=1);

namespace RedisRateLimit\Testing;

/** What a FakeLimiter was asked to consume, and the assertions about it. */
trait RemembersCalls
{
    /** @var list<array{policy: string, tenant: string, scope: string, cost: int, allowed: bool}> */
    private array $consumed = [];

    /** @return list<array{policy: string, tenant: string, scope: string, cost: int, allowed: bool}> refusals included */
    public function consumed(): array
    {
        return $this->consumed;
    }

    /**
     * That consume() was asked about the policy, refusals included.
     *
     * @param ?int    $times  null: at least once
     * @param ?string $tenant null: any
     */
    public function assertConsumed(string $policy, ?int $times = null, ?string $tenant = null): void
    {
        $count = count($this->matching($policy, $tenant));
        $of = $tenant === null ? '' : " for tenant \"$tenant\"";
        $times === null
            ? Assertion::that($count > 0, "The policy \"$policy\" was not consumed$of.")
            : Assertion::that($count === $times, "The policy \"$policy\" was consumed $count times$of, not $times times.");
    }

    public function assertNothingConsumed(): void
    {
        $names = implode('", "', array_unique(array_column($this->consumed, 'policy')));
        Assertion::that($this->consumed === [], "Nothing was to be consumed, but \"$names\" was.");
    }

    /** @return list<array{policy: string, tenant: string, scope: string, cost: int, allowed: bool}> */
    private function matching(string $policy, ?string $tenant): array
    {
        return array_values(array_filter(
            $this->consumed,
            static fn (array $call): bool => $call['policy'] === $policy && ($tenant === null || $call['tenant'] === $tenant),
        ));
    }
}
