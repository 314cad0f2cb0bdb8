<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RedisRateLimit\InvalidPolicy;
use RedisRateLimit\Policy;

/** Policies from configuration, in symfony/rate-limiter's words, and back. */
final class PolicyConfigurationTest extends TestCase
{
    /** @dataProvider configurations */
    #[DataProvider('configurations')]
    public function testAConfigurationMakesTheSamePolicyAsItsFactory(array $configuration, Policy $policy): void
    {
        self::assertSame($policy->toArray(), Policy::fromArray('p', $configuration)->toArray());
    }

    /** @dataProvider configurations */
    #[DataProvider('configurations')]
    public function testWhatToArrayGivesFromArrayTakes(array $configuration, Policy $policy): void
    {
        $copy = Policy::fromArray('p', $policy->toArray());

        self::assertSame($policy->toArray(), $copy->toArray());
        self::assertSame([$policy->name, $policy->algorithm, $policy->limit, $policy->interval], [$copy->name, $copy->algorithm, $copy->limit, $copy->interval]);
        self::assertSame(['name' => 'p'] + $policy->toArray(), $policy->jsonSerialize());
        self::assertSame(json_encode(['name' => 'p'] + $policy->toArray()), json_encode($policy));
    }

    /** @return array<string, array{array<string, mixed>, Policy}> */
    public static function configurations(): array
    {
        $rate = ['amount' => 60, 'interval' => '1 minute'];

        return [
            'token bucket' => [['policy' => 'token_bucket', 'limit' => 60, 'rate' => $rate], Policy::tokenBucket('p', 60, 60, 60)],
            'leaky bucket' => [['policy' => 'leaky_bucket', 'limit' => 9, 'rate' => $rate], Policy::leakyBucket('p', 9, 60, 60)],
            'sliding log' => [['policy' => 'sliding_log', 'limit' => 10, 'interval' => '60 seconds'], Policy::slidingLog('p', 10, 60)],
            'audit' => [['policy' => 'sliding_log', 'limit' => 10, 'interval' => 60, 'audit' => true], Policy::slidingLog('p', 10, 60, true)],
            'sliding window' => [['policy' => 'sliding_window', 'limit' => 10, 'interval' => 0.5], Policy::slidingWindow('p', 10, 0.5)],
            'fixed window' => [['policy' => 'fixed_window', 'limit' => 10, 'interval' => '1 hour'], Policy::fixedWindow('p', 10, 3600)],
            'aligned' => [['policy' => 'fixed_window', 'limit' => 1, 'interval' => 60, 'aligned' => true], Policy::fixedWindow('p', 1, 60, true)],
            'no limit' => [['policy' => 'no_limit'], Policy::unlimited('p')],
            'closed' => [['policy' => 'fixed_window', 'limit' => 1, 'interval' => 1, 'on_failure' => 'closed'], Policy::fixedWindow('p', 1, 1)->failClosed()],
            'open' => [['policy' => 'fixed_window', 'limit' => 1, 'interval' => 1, 'on_failure' => 'open'], Policy::fixedWindow('p', 1, 1)->failOpen()],
            'shadow' => [['policy' => 'fixed_window', 'limit' => 1, 'interval' => 1, 'shadow' => true], Policy::fixedWindow('p', 1, 1)->shadow()],
            'shared' => [['policy' => 'fixed_window', 'limit' => 1, 'interval' => 1, 'shared' => true], Policy::fixedWindow('p', 1, 1)->shared()],
            'compound' => [
                ['policy' => 'compound', 'limiters' => [
                    'burst' => ['policy' => 'token_bucket', 'limit' => 60, 'rate' => $rate],
                    'daily' => ['policy' => 'fixed_window', 'limit' => 1000, 'interval' => '1 day', 'shared' => true],
                ], 'on_failure' => 'closed'],
                Policy::compound('p', Policy::tokenBucket('burst', 60, 60, 60), Policy::fixedWindow('daily', 1000, 86_400)->shared())->failClosed(),
            ],
        ];
    }

    /** @dataProvider mistakes */
    #[DataProvider('mistakes')]
    public function testAMistakeIsNamedBesideWhatWouldBeRight(array $configuration, string ...$words): void
    {
        try {
            Policy::fromArray('p', $configuration);
        } catch (InvalidPolicy $refusal) {
            foreach ($words as $word) {
                self::assertStringContainsString($word, $refusal->getMessage());
            }

            return;
        }
        self::fail('no InvalidPolicy');
    }

    /** @return array<string, list<mixed>> */
    public static function mistakes(): array
    {
        $window = ['policy' => 'fixed_window', 'limit' => 1, 'interval' => 1];

        return [
            'unknown word' => [$window + ['limt' => 5], 'limt', 'limit', 'interval', 'on_failure'],
            'unknown algorithm' => [['policy' => 'tokens'] + $window, 'tokens', 'token_bucket', 'fixed_window', 'no_limit'],
            'no algorithm' => [['limit' => 1], 'policy'],
            'no limit' => [['policy' => 'fixed_window', 'interval' => 1], 'limit'],
            'no interval' => [['policy' => 'fixed_window', 'limit' => 1], 'interval'],
            'no rate' => [['policy' => 'token_bucket', 'limit' => 1], 'rate'],
            'unknown word in the rate' => [['policy' => 'token_bucket', 'limit' => 1, 'rate' => ['amount' => 1, 'intervall' => 1]], 'intervall'],
            'unknown failure rule' => [$window + ['on_failure' => 'maybe'], 'maybe', 'open', 'closed'],
            'limit of another type' => [['limit' => 'many'] + $window, 'limit'],
            'shadow of another type' => [$window + ['shadow' => 'perhaps'], 'shadow'],
            'an unknown word in a member' => [['policy' => 'compound', 'limiters' => ['a' => $window + ['burst' => 1]]], 'burst'],
            'no members' => [['policy' => 'compound', 'limiters' => []], 'p'],
            'a value that cannot be' => [['limit' => 0] + $window, '0'],
        ];
    }
}
