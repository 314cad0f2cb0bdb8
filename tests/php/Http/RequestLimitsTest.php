<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Http;

use RedisRateLimit\Decision;
use RedisRateLimit\Http\RequestLimits;
use RedisRateLimit\NativeLimiter;
use RedisRateLimit\Policy;
use RedisRateLimit\Tests\RedisTestCase;

final class RequestLimitsTest extends RedisTestCase
{
    private NativeLimiter $native;

    protected function setUp(): void
    {
        parent::setUp();
        $this->native = new NativeLimiter($this->limiter);
    }

    public function testAPolicyCountsOncePerTenantAndScopeAtTheHighestCost(): void
    {
        $policy = Policy::fixedWindow('api', 10, '1 hour');
        $request = new RequestLimits($this->native);
        $this->assertSame(8, $request->take($policy, 'a', cost: 2)->remaining);
        $this->assertNull($request->take($policy, 'a', cost: 2));
        $this->assertNull($request->take($policy, 'a'));
        $this->assertSame(5, $request->take($policy, 'a', cost: 5)->remaining);
        $this->assertSame(9, $request->take($policy, 'b')->remaining);
        $this->assertSame(9, $request->take($policy, 'a', 'other')->remaining);
        $this->assertCount(4, $request->decisions());
        $this->assertSame(4, (new RequestLimits($this->native))->take($policy, 'a')->remaining, 'another request pays anew');
    }

    public function testACostBelowOneIsRefusedByItsName(): void
    {
        $policy = Policy::fixedWindow('api', 10, '1 hour');
        $request = new RequestLimits($this->native);
        $request->take($policy, 'a', cost: 5);
        foreach ([0, -5] as $cost) {
            try {
                $request->take($policy, 'a', cost: $cost);
                $this->fail("A cost of $cost was taken.");
            } catch (\InvalidArgumentException $exception) {
                $this->assertStringContainsString("cost $cost must be at least 1", $exception->getMessage());
            }
        }
        $this->assertSame(5, $this->native->peek($policy, 'a')->remaining);
    }

    public function testTenantAndScopeMayHoldAnyBytes(): void
    {
        $policy = Policy::fixedWindow('api', 10, '1 hour');
        $request = new RequestLimits($this->native);
        $this->assertSame(9, $request->take($policy, "a\0b", 'c')->remaining);
        $this->assertSame(9, $request->take($policy, 'a', "b\0c")?->remaining);
    }

    public function testARefusalGivesBackWhatTheRequestTook(): void
    {
        $wide = Policy::fixedWindow('wide', 10, '1 hour');
        $narrow = Policy::fixedWindow('narrow', 1, '1 hour');
        $this->native->consume($narrow, 'a');
        $request = new RequestLimits($this->native);
        $request->take($wide, 'a', cost: 3);
        $this->assertFalse($request->take($narrow, 'a')->allowed);
        $this->assertSame(10, $this->native->peek($wide, 'a')->remaining);
        $this->assertSame(0, $this->native->peek($narrow, 'a')->remaining);
    }

    public function testAHigherCostIsRefusedAsAWholeNotByWhatIsMissing(): void
    {
        $policies = [
            Policy::fixedWindow('window', 10, '1 hour'),
            Policy::tokenBucket('bucket', 10, 1, '1 hour'),
            Policy::compound('compound', Policy::slidingLog('log', 10, '1 hour'), Policy::fixedWindow('day', 99, '1 day')),
        ];
        foreach ($policies as $policy) {
            $request = new RequestLimits($this->native);
            $request->take($policy, 'a', cost: 6);
            $refused = $request->take($policy, 'a', cost: 11);
            $this->assertSame(['cost_exceeds_limit', null, 11], [$refused->reason, $refused->retryAfter, $refused->cost], $policy->name);
            $this->assertSame(10, $this->native->peek($policy, 'a')->remaining, 'it took nothing');
        }
    }

    public function testTheWaitThatAHigherCostIsToldIsThatOfTheWholeCost(): void
    {
        $policy = Policy::tokenBucket('bucket', 10, 1, '1 hour');
        $this->native->consume($policy, 'a', cost: 3);
        $request = new RequestLimits($this->native);
        $request->take($policy, 'a', cost: 6);
        $refused = $request->take($policy, 'a', cost: 9);
        $this->assertSame(['limited', 9], [$refused->reason, $refused->cost]);
        $this->assertEqualsWithDelta(2 * 3600, $refused->retryAfter, 60);
        $this->assertSame([6, 9], array_map(static fn (Decision $decision): int => $decision->cost, $request->decisions()));
    }

    public function testInShadowModeAHigherCostPasses(): void
    {
        $policy = Policy::fixedWindow('trial', 10, '1 hour')->shadow();
        $request = new RequestLimits($this->native);
        $request->take($policy, 'a', cost: 6);
        $this->assertTrue($request->take($policy, 'a', cost: 11)->allowed);
    }
}
