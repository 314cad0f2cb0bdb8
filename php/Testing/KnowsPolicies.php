<?php

declare(strict_types=1);

namespace RedisRateLimit\Testing;

use RedisRateLimit\Policy;
use RedisRateLimit\UnknownPolicy;

/** Finds misspelt names in what a test says, where the application's policies are known. */
trait KnowsPolicies
{
    /** @var (\Closure(): list<string>)|null null: none is known yet */
    private ?\Closure $known = null;

    /** @var list<string> named before any was known */
    private array $unchecked = [];

    /**
     * @param \Closure(): list<string> $names asked when a policy is named
     *
     * @throws UnknownPolicy for a name that was used before
     */
    public function knowing(\Closure $names): self
    {
        $this->known = $names;
        $unchecked = $this->unchecked;
        $this->unchecked = [];
        foreach ($unchecked as $name) {
            $this->nameOf($name);
        }

        return $this;
    }

    /**
     * @param Policy|string $policy a name of the configuration, or a policy made elsewhere
     *
     * @throws UnknownPolicy
     */
    private function nameOf(Policy|string $policy): string
    {
        if ($policy instanceof Policy) {
            return $policy->name;
        }
        if ($this->known === null) {
            return $this->unchecked[] = $policy;
        }
        $names = ($this->known)();

        return in_array($policy, $names, true) ? $policy : throw UnknownPolicy::named($policy, $names);
    }
}
