<?php

declare(strict_types=1);

namespace RedisRateLimit\Testing;

use RedisRateLimit\Policy;
use RedisRateLimit\UnknownPolicy;

/** What a FakeLimiter was asked to consume, and the assertions about it. */
trait RemembersCalls
{
    use KnowsPolicies;

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
     *
     * @throws UnknownPolicy for a name that the application does not configure
     */
    public function assertConsumed(Policy|string $policy, ?int $times = null, ?string $tenant = null): void
    {
        $name = $this->nameOf($policy);
        $count = count($this->matching($name, $tenant));
        $of = $tenant === null ? '' : " for tenant \"$tenant\"";
        $times === null
            ? Assertion::that($count > 0, "The policy \"$name\" was not consumed$of. {$this->summary()}")
            : Assertion::that($count === $times, "The policy \"$name\" was consumed $count times$of, not $times times. {$this->summary()}");
    }

    public function assertNothingConsumed(): void
    {
        Assertion::that($this->consumed === [], "Nothing was to be consumed. {$this->summary()}");
    }

    /** @return string "Consumed were: api by user:42 (2 times), export by ip:192.0.2.7 (1 time)." */
    private function summary(): string
    {
        $calls = array_count_values(array_map(static fn (array $call): string => "{$call['policy']} by {$call['tenant']}", $this->consumed));
        $shown = array_map(static fn (string $call, int $times): string => "$call ($times " . ($times === 1 ? 'time)' : 'times)'), array_keys($calls), $calls);

        return $shown === [] ? 'Nothing was consumed.' : 'Consumed were: ' . implode(', ', $shown) . '.';
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
