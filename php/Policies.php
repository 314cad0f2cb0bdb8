<?php

declare(strict_types=1);

namespace RedisRateLimit;

/** The policies of an application by name, each built when it is first asked for. */
final class Policies
{
    /**
     * @param array<string, mixed> $policies  a Policy each, or an array in the words of Policy::fromArray()
     * @param ?string              $onFailure "open" or "closed", for arrays that do not say; null: the ini setting
     */
    public function __construct(private array $policies = [], private ?string $onFailure = null)
    {
    }

    /**
     * @throws UnknownPolicy
     * @throws InvalidPolicy
     */
    public function get(string $name): Policy
    {
        $policy = $this->policies[$name] ?? throw UnknownPolicy::named($name, $this->names());
        if ($policy instanceof Policy) {
            return $policy;
        }
        if (!is_array($policy)) {
            throw new InvalidPolicy(sprintf(
                'The rate limit policy "%s" is configured as %s: give an array, as ["policy" => "fixed_window", "limit" => 60, "interval" => "1 minute"].',
                $name,
                get_debug_type($policy),
            ));
        }

        return $this->policies[$name] = Policy::fromArray($name, $policy + ['on_failure' => $this->onFailure]);
    }

    /** @return list<string> */
    public function names(): array
    {
        return array_map('strval', array_keys($this->policies));
    }

    /**
     * @return array<string, Policy>
     *
     * @throws InvalidPolicy
     */
    public function all(): array
    {
        $names = $this->names();

        return array_combine($names, array_map($this->get(...), $names));
    }
}
