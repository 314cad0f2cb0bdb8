<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Tests\Support\Php;

/** Who was refused until t is refused until t, by any worker, without asking Redis again. */
final class RefusalCacheTest extends RedisTestCase
{
    protected function setUp(): void
    {
        ini_set('ratelimit.refusal_cache_ttl_ms', '60000');
        parent::setUp();
    }

    protected function tearDown(): void
    {
        ini_set('ratelimit.refusal_cache_ttl_ms', '0');
        parent::tearDown();
    }

    public function testASecondRefusalAsksNobodyAndSaysTheSame(): void
    {
        $policy = Policy::fixedWindow('p', 2, 3600);
        self::assertSame(2, $this->allowed(2, $policy));
        $first = $this->limiter->consume($policy, 'alice');
        $commands = $this->evaluations();
        $second = $this->limiter->consume($policy, 'alice');

        self::assertSame($commands, $this->evaluations());
        self::assertSame([false, true], [$first->cached, $second->cached]);
        self::assertFalse($second->allowed);
        self::assertSame(0, $second->remaining);
        self::assertSame($first->resetAt, $second->resetAt);
        self::assertSame('limited', $second->reason);
        self::assertLessThanOrEqual($first->retryAfter, $second->retryAfter);
        self::assertGreaterThan(3590.0, $second->retryAfter);
    }

    public function testAnotherCostTenantPolicyOrScopeIsAnotherCall(): void
    {
        $policy = Policy::fixedWindow('p', 2, 3600);
        $this->limiter->consume($policy, 'alice', cost: 2);
        $this->limiter->consume($policy, 'alice');

        self::assertTrue($this->limiter->consume($policy, 'alice')->cached);
        self::assertFalse($this->limiter->consume($policy, 'alice', cost: 2)->cached);
        self::assertTrue($this->limiter->consume($policy, 'bob')->allowed);
        self::assertTrue($this->limiter->consume($policy, 'alice', 'other')->allowed);
        self::assertTrue($this->limiter->consume(Policy::fixedWindow('p', 3, 3600), 'alice')->allowed);
    }

    public function testAResetOrRefundIsSeenAtOnce(): void
    {
        $policy = Policy::fixedWindow('p', 1, 3600);
        $allowed = $this->limiter->consume($policy, 'alice');
        $this->limiter->consume($policy, 'alice');
        self::assertTrue($this->limiter->consume($policy, 'alice')->cached);

        self::assertTrue($this->limiter->refund($allowed));
        self::assertTrue($this->limiter->consume($policy, 'alice')->allowed);
        self::assertFalse($this->limiter->consume($policy, 'alice')->cached);
        self::assertTrue($this->limiter->reset($policy, 'alice'));
        self::assertTrue($this->limiter->consume($policy, 'alice')->allowed);
    }

    public function testAPeekAlwaysLooks(): void
    {
        $policy = Policy::fixedWindow('p', 1, 3600);
        self::assertSame(1, $this->allowed(3, $policy));

        self::assertFalse($this->limiter->peek($policy, 'alice')->cached);
    }

    public function testARefusalThatACheaperCallCouldChangeIsNotRemembered(): void
    {
        $policy = Policy::fixedWindow('p', 5, 3600);
        $this->limiter->consume($policy, 'alice', cost: 3);

        self::assertFalse($this->limiter->consume($policy, 'alice', cost: 3)->cached);
        self::assertFalse($this->limiter->consume($policy, 'alice', cost: 3)->cached);
        self::assertFalse($this->limiter->consume($policy, 'alice', cost: 6)->cached, 'nor one that no wait can help');
    }

    /** Whoever is refused writes nothing, so it does not matter whose request it was. */
    public function testAnAuditLogRemembersWhateverTheRequestId(): void
    {
        $policy = Policy::slidingLog('p', 1, 3600, audit: true);
        self::assertTrue($this->limiter->consume($policy, 'alice', requestId: 'first')->allowed);
        self::assertFalse($this->limiter->consume($policy, 'alice', requestId: 'second')->cached);
        foreach (['third', 'a longer one', null] as $id) {
            self::assertTrue($this->limiter->consume($policy, 'alice', requestId: $id)->cached);
        }
        self::assertSame(['first'], array_column($this->limiter->history($policy, 'alice'), 'request_id'));
    }

    public function testACompoundOfFourAndAnyUsualNameIsRemembered(): void
    {
        $windows = array_map(static fn (int $i): Policy => Policy::slidingLog("member-of-the-compound-$i", $i, 3600), [1, 2, 3, 4]);
        $policy = Policy::compound('payments', ...$windows);
        foreach (['ip:2001:db8:1:2::/64', 'key:' . md5('secret'), 'user:' . str_repeat('a', 64)] as $tenant) {
            self::assertTrue($this->limiter->consume($policy, $tenant)->allowed);
            self::assertFalse($this->limiter->consume($policy, $tenant)->cached);
            self::assertTrue($this->limiter->consume($policy, $tenant)->cached, $tenant);
        }
    }

    public function testItIsAskedAgainAfterTheSettingsTime(): void
    {
        ini_set('ratelimit.refusal_cache_ttl_ms', '1');
        $limiter = new RateLimiter(self::$redis->url());
        $policy = Policy::fixedWindow('asked-again', 1, 3600);
        $limiter->consume($policy, 'alice');
        self::assertFalse($limiter->consume($policy, 'alice')->cached);
        usleep(1000); // on the host's clock, which nothing sets

        self::assertFalse($limiter->consume($policy, 'alice')->cached);
    }

    /** @dataProvider notRemembered */
    #[DataProvider('notRemembered')]
    public function testWhatSecurityNotesSayIsNotRemembered(Policy $policy, int $cost, string $tenant = 'alice'): void
    {
        while (($decision = $this->limiter->consume($policy, $tenant, cost: $cost))->allowed) {
            continue;
        }
        self::assertFalse($decision->degraded, (string) $decision->error);

        self::assertFalse($this->limiter->consume($policy, $tenant, cost: $cost)->cached);
    }

    /** @return array<string, array{0: Policy, 1: int, 2?: string}> */
    public static function notRemembered(): array
    {
        $window = static fn (string $name, int $limit = 2): Policy => Policy::fixedWindow($name, $limit, 3600);
        $long = str_repeat('n', 64);

        return [
            'something is left' => [$window('p', 5), 3],
            'a cost above the limit' => [$window('p'), 3],
            'a sliding window at a cost above 1' => [Policy::slidingWindow('p', 2, 3600), 2],
            'five members' => [Policy::compound('p', ...array_map($window, ['a', 'b', 'c', 'd', 'e'])), 1],
            'a shared member that is not used up' => [Policy::compound('p', $window('own'), $window('all', 100)->shared()), 1],
            'a sliding window that is not used up' => [Policy::compound('p', $window('own'), Policy::slidingWindow('w', 100, 3600)), 1],
            'long names' => [Policy::compound($long, ...array_map(static fn (int $i): Policy => $window("$i" . substr($long, 1)), [1, 2, 3, 4])), 1, str_repeat('t', 128)],
        ];
    }

    public function testWhatIsUsedUpIsRemembered(): void
    {
        $used = [Policy::slidingWindow('w', 2, 3600), Policy::compound('p', Policy::fixedWindow('own', 9, 3600), Policy::fixedWindow('all', 2, 3600)->shared())];
        foreach ($used as $policy) {
            self::assertSame(2, $this->allowed(3, $policy));
            self::assertTrue($this->limiter->consume($policy, 'alice')->cached, $policy->name);
        }
    }

    /** @dataProvider offSwitches */
    #[DataProvider('offSwitches')]
    public function testItCanBeTurnedOff(string $setting): void
    {
        $code = 'use RedisRateLimit\\{Policy, RateLimiter}; $limiter = new RateLimiter(); $policy = Policy::fixedWindow("p", 1, 3600);'
            . 'for ($i = 0; $i < 4; $i++) echo (int) $limiter->consume($policy, "alice")->cached;';
        $ini = ['ratelimit.url' => self::$redis->url(), 'ratelimit.refusal_cache_ttl_ms' => '60000'];

        self::assertSame('0011', Php::run($code, $ini)['stdout']);
        self::assertSame('0000', Php::run(str_replace('alice', 'bob', $code), [$setting => '0'] + $ini)['stdout']);
    }

    /** @return array<string, array{string}> */
    public static function offSwitches(): array
    {
        return ['slots' => ['ratelimit.refusal_cache'], 'time' => ['ratelimit.refusal_cache_ttl_ms']];
    }

    private function evaluations(): int
    {
        $calls = preg_match('/cmdstat_evalsha:calls=(\d+)/', self::$redis->command('INFO', 'commandstats'), $match);

        return $calls === 1 ? (int) $match[1] : 0;
    }
}
