<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Decision;
use RedisRateLimit\Limiter;
use RedisRateLimit\NativeLimiter;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Symfony\Limiter\RedisLimiterFactory;
use RedisRateLimit\Tests\RedisTestCase;
use Symfony\Component\RateLimiter\Exception\MaxWaitDurationExceededException;
use Symfony\Component\RateLimiter\Exception\RateLimitExceededException;
use Symfony\Component\RateLimiter\LimiterInterface;

/** Policies behind Symfony's LimiterInterface keep its contract. */
final class RedisLimiterTest extends RedisTestCase
{
    /** Instants in a RateLimit are of the application's clock: this much may pass between two looks at it. */
    private const SLACK = 5.0;

    public function testConsumeTakesAndRefuses(): void
    {
        $limiter = $this->of(Policy::fixedWindow('p', 3, 60));

        $accepted = $limiter->consume(2);
        self::assertTrue($accepted->isAccepted());
        self::assertSame([1, 3], [$accepted->getRemainingTokens(), $accepted->getLimit()]);
        self::assertWait(0, $accepted->getRetryAfter());

        $refused = $limiter->consume(2);
        self::assertFalse($refused->isAccepted());
        self::assertSame([1, 3], [$refused->getRemainingTokens(), $refused->getLimit()]);
        self::assertWait(60, $refused->getRetryAfter());

        $this->expectException(RateLimitExceededException::class);
        $refused->ensureAccepted();
    }

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testConsumeOfNothingIsAPureLook(string $kind): void
    {
        $limiter = $this->of(self::policy($kind, 2));

        self::assertSame(2, $limiter->consume(0)->getRemainingTokens());
        self::assertSame([], self::$redis->keys());

        $limiter->consume(2);
        $dump = $this->dump();
        $look = $limiter->consume(0);

        self::assertTrue($look->isAccepted());
        self::assertSame(0, $look->getRemainingTokens());
        self::assertSame($dump, $this->dump());
        self::assertGreaterThan(microtime(true), (float) $look->getRetryAfter()->format('U.u'));
    }

    public function testResetForgetsThisKeyOnly(): void
    {
        $factory = new RedisLimiterFactory($this->limiterService(), Policy::fixedWindow('p', 1, 60));
        $factory->create('alice')->consume();
        $factory->create('bob')->consume();

        $factory->create('alice')->reset();

        self::assertTrue($factory->create('alice')->consume()->isAccepted());
        self::assertFalse($factory->create('bob')->consume()->isAccepted());
    }

    public function testNoKeyIsOneBudgetForAllAndAnEmptyOneIsRefused(): void
    {
        $factory = new RedisLimiterFactory($this->limiterService(), Policy::fixedWindow('p', 1, 60));
        $factory->create()->consume();
        self::assertFalse($factory->create()->consume()->isAccepted());

        $this->expectException(\InvalidArgumentException::class);
        $factory->create('')->consume();
    }

    public function testMoreTokensThanThereEverAreIsAnError(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('"p" never holds 4 tokens, its limit is 3');
        $this->of(Policy::tokenBucket('p', 3, 1))->consume(4);
    }

    public function testReserveLendsWhatTheBucketDoesNotHoldYet(): void
    {
        $limiter = $this->of(Policy::tokenBucket('p', 2, 1, 10));

        $held = $limiter->reserve(2);
        self::assertSame(0.0, $held->getWaitDuration());
        self::assertTrue($held->getRateLimit()->isAccepted());
        foreach ([10, 20] as $wait) {
            $lent = $limiter->reserve();
            self::assertEqualsWithDelta(microtime(true) + $wait, $lent->getTimeToAct(), self::SLACK);
            self::assertFalse($lent->getRateLimit()->isAccepted());
            self::assertSame(0, $lent->getRateLimit()->getRemainingTokens());
        }

        $this->clockAt(20);
        self::assertFalse($limiter->consume()->isAccepted(), 'what is lent comes in first');
        $this->clockAt(30);
        self::assertTrue($limiter->consume()->isAccepted());
        self::assertFalse($limiter->consume()->isAccepted());
    }

    public function testAReservationTakesTheTokensThatAreThereFirst(): void
    {
        $limiter = $this->of(Policy::tokenBucket('p', 4, 1, 10));
        $limiter->consume(1);

        self::assertEqualsWithDelta(microtime(true) + 10, $limiter->reserve(4)->getTimeToAct(), self::SLACK);
    }

    public function testAReservationBeyondTheLongestWaitTakesNothing(): void
    {
        $limiter = $this->of(Policy::tokenBucket('p', 3, 1, 10));
        $limiter->consume(2);
        $before = $this->dump();
        foreach ([0.0, 19.9] as $maxTime) {
            try {
                $limiter->reserve(3, $maxTime);
                self::fail('no MaxWaitDurationExceededException');
            } catch (MaxWaitDurationExceededException $e) {
                self::assertFalse($e->getRateLimit()->isAccepted());
                self::assertWait(20, $e->getRateLimit()->getRetryAfter());
            }
        }
        self::assertSame($before, $this->dump());
        self::assertSame(1, $limiter->consume(0)->getRemainingTokens());
        self::assertEqualsWithDelta(microtime(true) + 20, $limiter->reserve(3, 20.0)->getTimeToAct(), self::SLACK);
        try {
            $limiter->reserve(1, 29.9);
            self::fail('the debt of the reservation before counts');
        } catch (MaxWaitDurationExceededException $e) {
            self::assertWait(30, $e->getRateLimit()->getRetryAfter());
        }
        self::assertEqualsWithDelta(microtime(true) + 30, $limiter->reserve(1, 30.0)->getTimeToAct(), self::SLACK, 'the refused one took nothing');
    }

    public function testAReservationThatAnotherOneOvertakesTakesNothing(): void
    {
        $real = $this->limiterService();
        $overtaken = $this->createStub(Limiter::class);
        $overtaken->method('refund')->willReturnCallback($real->refund(...));
        $overtaken->method('consume')->willReturnCallback(static function (Policy $policy, string $key, string $scope, int $cost) use ($real): Decision {
            if ($policy->algorithm === 'leaky_bucket') {
                $real->consume($policy, $key);
            }

            return $real->consume($policy, $key, $scope, $cost);
        });
        $policy = Policy::tokenBucket('p', 3, 1, 10);
        $real->consume($policy, 'alice', cost: 2);
        try {
            (new RedisLimiterFactory($overtaken, $policy))->create('alice')->reserve(2, 10.0);
            self::fail('no MaxWaitDurationExceededException');
        } catch (MaxWaitDurationExceededException $e) {
            self::assertWait(20, $e->getRateLimit()->getRetryAfter());
        }
        self::assertSame(10.0, $real->peek($policy, 'alice')->retryAfter, 'the other one has the token that was there');
    }

    public function testTokensThatComeInWeeksAreLentToo(): void
    {
        $limiter = $this->of(Policy::tokenBucket('p', 1, 1, '2 weeks'));
        $limiter->consume();
        self::assertEqualsWithDelta(microtime(true) + 14 * 86_400, $limiter->reserve()->getTimeToAct(), self::SLACK);
    }

    public function testUnlimitedAcceptsAll(): void
    {
        $limiter = $this->of(Policy::unlimited('p'));

        self::assertTrue($limiter->consume(1000)->isAccepted());
        self::assertSame(PHP_INT_MAX, $limiter->consume(0)->getLimit());
        self::assertSame(0.0, $limiter->reserve(5)->getWaitDuration());
    }

    /** Symfony's login throttling refuses where nothing remains. */
    public function testInShadowModeSomethingRemainsThoughAllIsTaken(): void
    {
        $limiter = $this->of(Policy::slidingLog('p', 2, 60)->shadow());
        foreach ([2, 1, 0] as $tokens) {
            $limit = $limiter->consume($tokens);
        }
        self::assertTrue($limit->isAccepted());
        self::assertSame(2, $limit->getRemainingTokens());
    }

    public function testWhereRedisIsAwayTheFailureRuleAnswersALookToo(): void
    {
        $limiter = static fn (Policy $policy): LimiterInterface => (new RedisLimiterFactory(
            new NativeLimiter(new RateLimiter('unix:///nowhere/redis.sock'), new \Psr\Log\NullLogger()),
            $policy,
        ))->create('alice');
        $open = $limiter(Policy::fixedWindow('p', 3, 60)->failOpen());
        $closed = $limiter(Policy::fixedWindow('p', 3, 60)->failClosed());

        foreach ([$open->consume(), $open->consume(0)] as $limit) {
            self::assertTrue($limit->isAccepted());
            self::assertGreaterThan(0, $limit->getRemainingTokens());
        }
        self::assertFalse($closed->consume()->isAccepted());
        self::assertFalse($closed->consume(0)->isAccepted());
    }

    private function limiterService(): Limiter
    {
        return new NativeLimiter($this->limiter);
    }

    private function of(Policy $policy): LimiterInterface
    {
        return (new RedisLimiterFactory($this->limiterService(), $policy))->create('alice');
    }

    /** @return array<string, string> the bytes of every key */
    private function dump(): array
    {
        return array_combine(self::$redis->keys(), array_map(static fn (string $key): string => self::$redis->command('DUMP', $key), self::$redis->keys()));
    }

    private static function assertWait(float $seconds, \DateTimeImmutable $instant): void
    {
        self::assertEqualsWithDelta(microtime(true) + $seconds, (float) $instant->format('U.u'), self::SLACK);
    }
}
