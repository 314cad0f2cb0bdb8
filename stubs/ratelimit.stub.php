<?php

/**
 * The public interface of ratelimit.so, for IDEs and static analysers. Never loaded at run time; a test holds it
 * equal to the loaded extension.
 *
 * Settings (php.ini; `php --ri ratelimit` shows them):
 *  - ratelimit.url                   redis://127.0.0.1:6379  what `new RateLimiter()` connects to
 *  - ratelimit.prefix                rl                      first part of every key
 *  - ratelimit.timeout_ms            50                      for one decision, connecting included
 *  - ratelimit.on_failure            open                    "open" or "closed": for policies that name no rule
 *  - ratelimit.breaker_failures      5                       failures in a row after which nobody asks Redis for a while; 0: never
 *  - ratelimit.breaker_cooldown_ms   1000                    how long that while is
 *  - ratelimit.refusal_cache         4096                    refusals that the workers of one PHP-FPM master remember together; 0: none
 *  - ratelimit.refusal_cache_ttl_ms  1000                    how long one is remembered at most
 */

namespace RedisRateLimit;

/**
 * An immutable rule: how much, how fast, and what happens when Redis is away.
 *
 * Intervals are seconds (int or float) or a string of fixed length: "250 ms", "30 seconds", "15 minutes", "1 hour",
 * "1 day", "2 weeks", "1 hour 30 minutes". Months and years are refused: their length varies. A day is 86,400 seconds
 * in every time zone.
 *
 * Every factory throws {@see InvalidPolicy} for what can never work: a limit below 1, an interval of 0 or less, a
 * name outside [A-Za-z0-9._-]{1,64}, numbers whose product leaves the range of exact integers (2^53). The text
 * names the value.
 *
 *     $policy = Policy::tokenBucket('api', capacity: 100, refill: 10, interval: '1 second')->failClosed();
 */
final class Policy implements \JsonSerializable
{
    /** First part of the state's key; letters, digits, ".", "_" and "-", at most 64. */
    public readonly string $name;

    /**
     * "token_bucket", "sliding_log", "sliding_window", "fixed_window", "leaky_bucket", "compound" or "unlimited".
     *
     * @var 'token_bucket'|'sliding_log'|'sliding_window'|'fixed_window'|'leaky_bucket'|'compound'|'unlimited'
     */
    public readonly string $algorithm;

    /** Capacity or limit, in tokens; of a compound, the smallest member's; of unlimited, PHP_INT_MAX. */
    public readonly int $limit;

    /** Seconds; of a compound, those of the member with the smallest limit. */
    public readonly float $interval;

    /** Made by the named factories only. */
    private function __construct() {}

    /**
     * Holds $capacity tokens, refilled continuously at $refill tokens per $interval. Bursts of up to $capacity pass.
     * Kept as one exact instant (the generic cell rate algorithm), so no rate drifts.
     *
     *     Policy::tokenBucket('api', 100, 10);             // 10 per second, bursts of 100
     *     Policy::tokenBucket('mail', 5, 1, '10 minutes'); // 1 per 10 minutes, bursts of 5
     *
     * @param int              $capacity tokens, at least 1; what a new tenant begins with
     * @param int              $refill   tokens per $interval, at least 1
     * @param int|float|string $interval seconds, or a text such as "1 minute"
     * @throws InvalidPolicy
     */
    public static function tokenBucket(string $name, int $capacity, int $refill, int|float|string $interval = 1): self {}

    /**
     * Exact: no window of $interval, wherever it begins, ever holds more than $limit.
     *
     * @param int              $limit    entries, at least 1 and below 2^24; 6 to 8 bytes of Redis memory each
     * @param int|float|string $interval seconds, or a text such as "1 minute"
     * @param bool             $audit    keep one entry per request with its request id, for {@see RateLimiter::history()};
     *                                   takes about 100 bytes of Redis memory per entry
     * @throws InvalidPolicy
     */
    public static function slidingLog(string $name, int $limit, int|float|string $interval, bool $audit = false): self {}

    /**
     * Two counters, the previous one weighted by how much of it the last $interval still covers. Little memory,
     * close to the sliding log where requests are spread evenly.
     *
     * @param int              $limit    at least 1
     * @param int|float|string $interval seconds, or a text such as "1 minute"
     * @throws InvalidPolicy
     */
    public static function slidingWindow(string $name, int $limit, int|float|string $interval): self {}

    /**
     * One counter. Up to twice $limit can pass around the end of a window.
     *
     * @param int              $limit    at least 1
     * @param int|float|string $interval seconds, or a text such as "1 hour"
     * @param bool             $aligned  windows begin at multiples of $interval since the Unix epoch (UTC), for all
     *                                   tenants at once; else each opens at its first hit
     * @throws InvalidPolicy
     */
    public static function fixedWindow(string $name, int $limit, int|float|string $interval, bool $aligned = false): self {}

    /**
     * A queue of $capacity places that drains at $leak per $interval: an allowed {@see Decision} carries the delay to
     * wait before acting, so that what acts is evenly spaced. Full, it refuses.
     *
     * @param int              $capacity places, at least 1
     * @param int              $leak     places that come free per $interval, at least 1
     * @param int|float|string $interval seconds, or a text such as "1 second"
     * @throws InvalidPolicy
     */
    public static function leakyBucket(string $name, int $capacity, int $leak, int|float|string $interval = 1): self {}

    /**
     * All members settle in one atomic step: one refusal, and none is charged. The compound's own failure rule holds,
     * not its members'.
     *
     *     Policy::compound('api', Policy::tokenBucket('burst', 10, 10), Policy::fixedWindow('daily', 5000, '1 day'));
     *
     * @param Policy ...$members at least one; names unique within it; none a compound or unlimited
     * @throws InvalidPolicy
     */
    public static function compound(string $name, Policy ...$members): self {}

    /**
     * Always allows and asks nobody; its decisions bring no headers.
     *
     * @throws InvalidPolicy for its name
     */
    public static function unlimited(string $name): self {}

    /**
     * From configuration, in the words of symfony/rate-limiter.
     *
     *     ['policy' => 'token_bucket', 'limit' => 60, 'rate' => ['amount' => 60, 'interval' => '1 minute']]
     *     ['policy' => 'leaky_bucket', 'limit' => 60, 'rate' => ['amount' => 1, 'interval' => '1 second']]
     *     ['policy' => 'sliding_log', 'limit' => 10, 'interval' => '60 seconds', 'audit' => true]
     *     ['policy' => 'fixed_window', 'limit' => 10, 'interval' => 60, 'aligned' => true]
     *     ['policy' => 'compound', 'limiters' => ['burst' => [...], 'daily' => [...]]]
     *     ['policy' => 'no_limit']
     *
     * Each may have 'on_failure' => 'open'|'closed', 'shadow' => bool and 'shared' => bool.
     *
     * @param array<string, mixed> $config
     * @throws InvalidPolicy also for an unknown word, which it names beside the known ones
     */
    public static function fromArray(string $name, array $config): self {}

    /** A copy that allows while Redis does not answer. */
    public function failOpen(): self {}

    /** A copy that refuses while Redis does not answer. */
    public function failClosed(): self {}

    /** A copy that counts and reports but never refuses: see {@see Decision::$shadow}. As a member of a compound too. */
    public function shadow(bool $shadow = true): self {}

    /** A copy with one budget for every tenant: as a member of a compound, a global ceiling beside per-tenant ones. */
    public function shared(bool $shared = true): self {}

    /**
     * What {@see Policy::fromArray()} makes this policy of.
     *
     * @return array<string, mixed>
     */
    public function toArray(): array {}

    /** @return array<string, mixed> {@see Policy::toArray()} with the name, for json_encode() */
    public function jsonSerialize(): array {}
}

/**
 * Decides. One instance per URL is cheap: the connection belongs to the worker process and outlives requests, and is
 * opened on first use.
 *
 *     $decision = (new RateLimiter())->consume($policy, $user->id);
 *     if (!$decision->allowed) {
 *         http_response_code(429);
 *     }
 */
final class RateLimiter
{
    /**
     * @param ?string $url     redis://[user:pass@]host[:port][/db], rediss://…, unix:///path[?db=0&user=u&pass=p],
     *                         redis-cluster://h1:p1,h2:p2, redis-sentinel://h1:p1,h2:p2/master-name[/db];
     *                         null: the ini setting ratelimit.url
     * @param ?float  $timeout seconds that one decision may take, connecting included; null: ratelimit.timeout_ms
     * @param ?string $prefix  first part of every key; null: ratelimit.prefix
     * @throws InvalidConfiguration names what cannot be used, never a password
     */
    public function __construct(?string $url = null, ?float $timeout = null, ?string $prefix = null) {}

    /**
     * Takes $cost from the budget of $tenant in $scope, or refuses and takes nothing.
     *
     * Never throws for a refusal or an absent Redis: the policy's failure rule answers the latter, and the decision
     * is then {@see Decision::$degraded}.
     *
     * @param string  $tenant    who pays: any bytes but none at all
     * @param string  $scope     what for: each has its own budget; any bytes but none at all
     * @param int     $cost      tokens, at least 1; more than the limit is refused as "cost_exceeds_limit"
     * @param ?string $requestId kept by a sliding log with audit; at most 128 bytes
     * @throws \InvalidArgumentException for an empty tenant or scope, a $cost below 1, a request id over 128 bytes
     */
    public function consume(Policy $policy, string $tenant, string $scope = 'global', int $cost = 1, ?string $requestId = null): Decision {}

    /**
     * Whether consume() of $cost would pass now. Writes nothing; remaining is what is there now, nothing subtracted.
     *
     * @param int $cost tokens, 0 or more
     * @throws \InvalidArgumentException for an empty tenant or scope, or a $cost below 0
     */
    public function peek(Policy $policy, string $tenant, string $scope = 'global', int $cost = 1): Decision {}

    /**
     * Gives back what this decision took, once, in every window that is still the same one. Only the process that took
     * it can: a forked child has a copy, and both would.
     *
     * @return bool whether anything came back; false too while Redis is away
     * @throws \InvalidArgumentException for a decision that was made behind another URL
     */
    public function refund(Decision $decision): bool {}

    /**
     * Forgets the tenant's state in $scope; of a compound, that of every member but for budgets that it shares.
     *
     * @return bool whether there was any
     * @throws StoreUnavailable
     * @throws \InvalidArgumentException for an empty tenant or scope
     */
    public function reset(Policy $policy, string $tenant, string $scope = 'global'): bool {}

    /**
     * What a sliding log still holds, oldest first. Request ids are kept by one with audit only.
     *
     * @return list<array{at: float, cost: int, request_id: ?string}> at: Unix seconds of Redis' clock
     * @throws StoreUnavailable
     * @throws InvalidPolicy for another algorithm
     * @throws \InvalidArgumentException for an empty tenant or scope
     */
    public function history(Policy $policy, string $tenant, string $scope = 'global'): array {}

    /**
     * One round trip.
     *
     * @return float seconds that it took
     * @throws StoreUnavailable
     */
    public function ping(): float {}

    /**
     * This worker's counters since it started, and the circuit of each URL that has ever failed for the workers of
     * its PHP-FPM master: what its state is ("closed", "open", "half-open"), how many calls failed in a row, and in how
     * many seconds the next probe is due (0.0 unless open).
     *
     * @return array{
     *     decisions: int, allowed: int, refused: int, shadowed: int, degraded: int, errors: int, connects: int,
     *     script_loads: int, circuits: array<string, array{state: string, failures: int, retryAfter: float}>
     * }
     */
    public static function stats(): array {}
}

/** The answer: a value, refused or not. All times come from Redis' clock. */
final class Decision implements \JsonSerializable
{
    public readonly bool $allowed;

    /** The policy's name. */
    public readonly string $policy;

    /** The deciding member of a compound policy: the one that refuses longest, else the one with least left. */
    public readonly string $window;

    /** Of the deciding window. */
    public readonly int $limit;

    /** What is left after this decision: 0 to the limit, whole tokens. */
    public readonly int $remaining;

    public readonly int $cost;

    /** Seconds to wait before acting (leaky bucket), else 0.0. */
    public readonly float $delay;

    /** Seconds until the same cost would pass, if nobody else calls; null: it passes now, or never will. */
    public readonly ?float $retryAfter;

    /**
     * Unix seconds: when a bucket's next token arrives (now, if it is full), a log's oldest entry leaves, a window ends.
     * null where nothing is known.
     */
    public readonly ?float $resetAt;

    /**
     * null where it is allowed, else why not; "store_unavailable" also on an allowed decision that is degraded.
     *
     * @var null|'limited'|'cost_exceeds_limit'|'store_unavailable'
     */
    public readonly ?string $reason;

    /** Allowed only because the policy is in shadow mode. */
    public readonly bool $shadow;

    /** Redis did not answer; the policy's failure rule did. */
    public readonly bool $degraded;

    /** A refusal that the workers of this PHP-FPM master remembered; Redis was not asked again. */
    public readonly bool $cached;

    /** With degraded: what went wrong; safe to log (no password). */
    public readonly ?string $error;

    /**
     * Every member of a compound, in its order; else the policy itself.
     *
     * @var list<array{window: string, allowed: bool, limit: int, remaining: int, retryAfter: ?float, resetAt: float}>
     */
    public readonly array $windows;

    /** Made by RateLimiter and by {@see Decision::fromArray()} only. */
    private function __construct() {}

    /**
     * The inverse of jsonSerialize(), for test doubles. What is left out is false, null, 0 or empty, and a cost of 1;
     * allowed, policy and limit must be there.
     *
     *     Decision::fromArray(['allowed' => false, 'policy' => 'api', 'limit' => 10, 'retryAfter' => 1.5])
     *
     * @param array<string, mixed> $data
     * @throws \InvalidArgumentException for an unknown key, a value of another type, a number below 0 or a name that no
     *                                   policy may have; it says which
     */
    public static function fromArray(array $data): self {}

    /**
     * X-RateLimit-Limit, -Remaining, -Reset (Unix seconds, rounded up), and on a refusal Retry-After (whole seconds,
     * rounded up, at least 1; RFC 9110, section 10.2.3). Nothing is invented when degraded.
     *
     * @return array<string, string>
     */
    public function toHeaders(): array {}

    /**
     * RateLimit-Policy and RateLimit of draft-ietf-httpapi-ratelimit-headers, and on a refusal Retry-After.
     *
     *     RateLimit-Policy: "api";q=100;w=60
     *     RateLimit: "api";r=50;t=30
     *
     * @return array<string, string>
     */
    public function toStandardHeaders(): array {}

    /**
     * Itself where it is allowed.
     *
     * @throws RateLimitExceeded
     */
    public function ensureAllowed(): self {}

    /**
     * Every property by its name; and "now", Redis' time when it decided, in Unix seconds: null where it did not answer.
     *
     * @return array{
     *     allowed: bool, policy: string, window: string, limit: int, remaining: int, cost: int, delay: float,
     *     retryAfter: ?float, resetAt: ?float, reason: ?string, shadow: bool, degraded: bool, cached: bool, error: ?string,
     *     windows: list<array{window: string, allowed: bool, limit: int, remaining: int, retryAfter: ?float, resetAt: float}>,
     *     now: ?float
     * }
     */
    public function jsonSerialize(): array {}
}

/** Marks every exception of this extension. */
interface Exception extends \Throwable {}

/** A policy that can never work. */
final class InvalidPolicy extends \InvalidArgumentException implements Exception {}

/** A URL, timeout, prefix or setting that cannot be used. */
final class InvalidConfiguration extends \InvalidArgumentException implements Exception {}

/** Redis did not answer a call that no failure rule stands in for: reset(), history(), ping(). */
final class StoreUnavailable extends \RuntimeException implements Exception {}

/** Thrown by {@see Decision::ensureAllowed()} for a refusal. */
final class RateLimitExceeded extends \RuntimeException implements Exception
{
    public readonly Decision $decision;
}
