<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use RedisRateLimit\Limiter;
use RedisRateLimit\NativeLimiter;
use RedisRateLimit\Policy;
use RedisRateLimit\RateLimiter;
use RedisRateLimit\Symfony\Limiter\RedisLimiter;
use RedisRateLimit\Testing\FakeLimiter;
use RedisRateLimit\Tests\RedisTestCase;
use RedisRateLimit\Tests\Support\RedisServer;
use RedisRateLimit\Tests\Support\Sleep;
use Symfony\Component\RateLimiter\Exception\MaxWaitDurationExceededException;
use Symfony\Component\RateLimiter\LimiterInterface;
use Symfony\Component\RateLimiter\Reservation;

/** Where nothing can be booked ahead, reserve() waits for its turn, and the limit holds. */
final class BlockingWaitTest extends RedisTestCase
{
    /** Instants in a RateLimit are of the application's clock: this much may pass between two looks at it. */
    private const SLACK = 5.0;

    protected function setUp(): void
    {
        parent::setUp();
        Sleep::by(self::$clock);
    }

    protected function tearDown(): void
    {
        Sleep::by(null);
        parent::tearDown();
    }

    /** @dataProvider waiting */
    #[DataProvider('waiting')]
    public function testWaitsExactlyAsLongAsItMustAndTheLimitHolds(string $kind): void
    {
        $policy = self::policy($kind, 3);
        $limiter = $this->of($policy);
        $windows = [];
        for ($call = 0; $call < 12; $call++) {
            $expected = $this->limiter->peek($policy, 'alice')->retryAfter ?? 0.0;
            $before = self::$clock->microseconds();
            self::assertActsNow($limiter->reserve());
            $now = self::$clock->microseconds();
            self::assertSame((int) round($expected * 1e6), $now - $before);
            $window = intdiv($now - self::T0 * 1_000_000, 60_000_000);
            $windows[$window] = 1 + ($windows[$window] ?? 0);
        }
        self::assertLessThanOrEqual(3, max($windows));
        self::assertNotSame([], Sleep::$slept);
    }

    public function testNoWindowOfALogEverHoldsMoreThanTheLimit(): void
    {
        $limiter = $this->of($policy = Policy::slidingLog('p', 3, 60, audit: true));
        // Seconds since the last reservation, its cost, and when it is admitted: as the third before it is 60 seconds old.
        $reservations = [[5, 1, 5], [1, 1, 6], [7, 1, 13], [30, 1, 65], [0, 1, 66], [0, 1, 73], [0, 1, 125], [12, 1, 137], [0, 2, 185], [0, 3, 245]];
        foreach ($reservations as [$pause, $cost, $admitted]) {
            self::$clock->advance($pause);
            self::assertActsNow($limiter->reserve($cost));
            $entries = $this->limiter->history($policy, 'alice');
            self::assertSame([$admitted, $cost], [(int) end($entries)['at'] - self::T0, end($entries)['cost']]);
            self::assertLessThanOrEqual(3, array_sum(array_column($entries, 'cost')));
        }
    }

    /** @dataProvider waiting */
    #[DataProvider('waiting')]
    public function testAWaitLongerThanTheLongestIsRefusedAtOnceAndTakesNothing(string $kind): void
    {
        $policy = self::policy($kind, 3);
        $limiter = $this->of($policy);
        $limiter->consume(3);
        $this->clockAt(10);
        $wait = $this->limiter->peek($policy, 'alice', cost: 2)->retryAfter;
        $before = $this->dump();
        foreach ([0.0, $wait - 0.000001] as $maxTime) {
            $refused = self::refusal($limiter, 2, $maxTime);
            self::assertSame(
                sprintf('The rate limit policy "p" asks for a wait of %.3F seconds, longer than the accepted %.3F seconds.', $wait, $maxTime),
                $refused->getMessage(),
            );
            self::assertFalse($refused->getRateLimit()->isAccepted());
            self::assertEqualsWithDelta(microtime(true) + $wait, (float) $refused->getRateLimit()->getRetryAfter()->format('U.u'), self::SLACK);
        }
        self::assertSame([], Sleep::$slept);
        self::assertSame($before, $this->dump());

        self::assertActsNow($limiter->reserve(2, $wait));
        self::assertSame([(int) round($wait * 1e6)], Sleep::$slept);
    }

    public function testWhereAnotherWasQuickerItWaitsAgain(): void
    {
        $limiter = $this->of($policy = Policy::fixedWindow('p', 3, 60));
        $limiter->consume(3);
        $this->clockAt(10);
        Sleep::meanwhile(fn (int $sleeps) => $sleeps === 1 && self::assertSame(3, $this->allowed(3, $policy)));

        self::assertActsNow($limiter->reserve(2, 110.0));

        self::assertSame([50_000_000, 60_000_000], Sleep::$slept);
        self::assertSame(1, $this->limiter->peek($policy, 'alice')->remaining);
    }

    public function testOverTheLongestWaitTheSecondOneIsRefusedAndTakesNothing(): void
    {
        $limiter = $this->of($policy = Policy::fixedWindow('p', 3, 60));
        $limiter->consume(3);
        $this->clockAt(10);
        Sleep::meanwhile(fn (int $sleeps) => $sleeps === 1 && self::assertSame(2, $this->allowed(2, $policy)));

        $refused = self::refusal($limiter, 2, 109.9);

        self::assertStringContainsString('a wait of 110.000 seconds, longer than the accepted 109.900 seconds', $refused->getMessage());
        self::assertSame([50_000_000], Sleep::$slept);
        self::assertSame(1, $this->limiter->peek($policy, 'alice')->remaining);
    }

    public function testASleepThatASignalEndsIsGoneOnWith(): void
    {
        $limiter = $this->of(Policy::fixedWindow('p', 1, 60));
        $limiter->consume();
        Sleep::meanwhile(static fn (int $sleeps) => $sleeps === 1 && self::$clock->advance(-45.0));

        self::assertActsNow($limiter->reserve(1, 60.0));
        self::assertSame([60_000_000, 45_000_000], Sleep::$slept);
    }

    /** PHP's usleep() would come back from two weeks after four minutes. */
    public function testALongWaitIsSleptInHours(): void
    {
        $limiter = $this->of(Policy::fixedWindow('p', 1, '2 weeks'));
        $limiter->consume();
        $this->clockAt(1800);

        self::assertActsNow($limiter->reserve());
        self::assertSame([...array_fill(0, 14 * 24 - 1, 3_600_000_000), 1_800_000_000], Sleep::$slept);
    }

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testToReserveNothingIsALook(string $kind): void
    {
        $limiter = $this->of(self::policy($kind, 2));
        self::assertActsNow($limiter->reserve(0, 0.0));
        self::assertSame([], self::$redis->keys());
        $limiter->consume(2);
        $before = $this->dump();

        $look = $limiter->reserve(0);

        self::assertActsNow($look);
        self::assertSame(0, $look->getRateLimit()->getRemainingTokens());
        self::assertSame($before, $this->dump());
        self::assertSame([], Sleep::$slept);
    }

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testMoreTokensThanThereEverAreAreNotWaitedFor(string $kind): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('"p" never holds 3 tokens, its limit is 2');
        $this->of(self::policy($kind, 2))->reserve(3);
    }

    public function testAFullQueueIsWaitedForAndThenWaitedIn(): void
    {
        $limiter = $this->of(Policy::leakyBucket('p', 3, 1, 10));
        foreach ([0, 10, 20] as $delay) {
            self::assertEqualsWithDelta(microtime(true) + $delay, $limiter->reserve()->getTimeToAct(), self::SLACK);
        }
        self::assertSame([], Sleep::$slept);

        $reservation = $limiter->reserve();

        self::assertSame([10_000_000], Sleep::$slept);
        self::assertEqualsWithDelta(microtime(true) + 20, $reservation->getTimeToAct(), self::SLACK);
        self::assertFalse($reservation->getRateLimit()->isAccepted());
    }

    /** @dataProvider places */
    #[DataProvider('places')]
    public function testSleepAndQueueTogetherFitTheLongestWait(int $cost, int $sleep): void
    {
        $limiter = $this->of($policy = Policy::leakyBucket('p', 3, 2, 20));
        $this->allowed(3, $policy);
        $this->clockAt(4);
        $before = $this->dump();

        $refused = self::refusal($limiter, $cost, $sleep + 19.9);
        self::assertStringContainsString(sprintf('a wait of %d.000 seconds', $sleep + 20), $refused->getMessage());
        self::assertSame([], Sleep::$slept);
        self::assertSame($before, $this->dump());

        self::assertEqualsWithDelta(microtime(true) + 20, $limiter->reserve($cost, $sleep + 20.0)->getTimeToAct(), self::SLACK);
        self::assertSame([$sleep * 1_000_000], Sleep::$slept);
    }

    /** @return array<string, array{int, int}> a cost, and the seconds until so many of three places are free, 4 seconds after the burst */
    public static function places(): array
    {
        return ['one' => [1, 6], 'two' => [2, 16], 'all' => [3, 26]];
    }

    /**
     * @testWith [1, [0, 0, 10, 20, 30, 40, 50, 60]]
     *           [2, [0, 20, 40, 60, 80]]
     *
     * @param list<int> $acts the seconds at which the reservations may act
     */
    #[TestWith([1, [0, 0, 10, 20, 30, 40, 50, 60]])]
    #[TestWith([2, [0, 20, 40, 60, 80]])]
    public function testATokenBucketLendsWhatItHoldsAndThenWaits(int $cost, array $acts): void
    {
        $limiter = $this->of($policy = Policy::tokenBucket('p', 2, 1, 10));
        foreach ($acts as $act) {
            $reservation = $limiter->reserve($cost);
            $now = self::$clock->microseconds() / 1e6 - self::T0;
            self::assertEqualsWithDelta($act, $now + $reservation->getWaitDuration(), 0.1);
            self::assertSame(2, $reservation->getRateLimit()->getLimit());
        }
        self::assertSame(array_fill(0, count($acts) - 4 / $cost, $cost * 10_000_000), Sleep::$slept);
        self::assertFalse($limiter->consume()->isAccepted());
        self::assertSame(30.0, $this->limiter->peek($policy, 'alice')->retryAfter, 'the two that were lent come first');
    }

    public function testATokenBucketsDebtAndTheWaitForItFitTheLongestWait(): void
    {
        $limiter = $this->of(Policy::tokenBucket('p', 2, 1, 10));
        $limiter->reserve(2);
        $limiter->reserve();
        $limiter->reserve();
        $before = $this->dump();

        $refused = self::refusal($limiter, 1, 29.9);
        self::assertSame([2, 0], [$refused->getRateLimit()->getLimit(), $refused->getRateLimit()->getRemainingTokens()]);
        self::assertSame([], Sleep::$slept);
        self::assertSame($before, $this->dump());

        self::assertEqualsWithDelta(microtime(true) + 20, $limiter->reserve(1, 30.0)->getTimeToAct(), self::SLACK);
        self::assertSame([10_000_000], Sleep::$slept);
    }

    public function testADelayBeyondTheLongestWaitIsGivenBack(): void
    {
        $limiter = $this->of($policy = Policy::leakyBucket('p', 3, 1, 10));
        $this->allowed(2, $policy);

        self::assertStringContainsString('a wait of 20.000 seconds', self::refusal($limiter, 1, 19.9)->getMessage());
        self::assertSame(1, $this->limiter->peek($policy, 'alice')->remaining);
    }

    public function testTheQueueOfACompoundIsGivenBackWhereItIsTooLong(): void
    {
        $limiter = $this->of($policy = Policy::compound('p', Policy::leakyBucket('queue', 3, 1, 10), Policy::fixedWindow('window', 9, 60)));
        $this->allowed(3, $policy);

        self::assertStringContainsString('a wait of 30.000 seconds', self::refusal($limiter, 1, 29.9)->getMessage());
        self::assertSame([10_000_000], Sleep::$slept);
        self::assertSame([1, 6], array_column($this->limiter->peek($policy, 'alice', cost: 0)->windows, 'remaining'));

        self::assertEqualsWithDelta(microtime(true) + 20, $limiter->reserve(1, 20.0)->getTimeToAct(), self::SLACK);
    }

    public function testACompoundWaitsForTheMemberThatRefusesLongest(): void
    {
        $limiter = $this->of($policy = Policy::compound('p', Policy::slidingLog('second', 1, 1), Policy::fixedWindow('minute', 3, 60)));
        for ($call = 0; $call < 5; $call++) {
            self::assertActsNow($limiter->reserve());
        }

        self::assertSame([1_000_000, 1_000_000, 58_000_000, 1_000_000], Sleep::$slept);
        self::assertSame([0, 1], array_column($this->limiter->peek($policy, 'alice', cost: 0)->windows, 'remaining'));
    }

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testWhereRedisIsAwayTheFailureRuleAnswersAtOnce(string $kind): void
    {
        $nowhere = new NativeLimiter(new RateLimiter('unix:///nowhere/redis.sock'), new \Psr\Log\NullLogger());

        self::assertActsNow($this->of(self::policy($kind, 3)->failOpen(), $nowhere)->reserve());
        $closed = $this->of(self::policy($kind, 3)->failClosed(), $nowhere);
        foreach ([null, 3600.0] as $maxTime) {
            self::assertStringContainsString('fails closed', self::refusal($closed, 1, $maxTime)->getMessage());
        }
        self::assertFalse($closed->reserve(0)->getRateLimit()->isAccepted());
        self::assertSame([], Sleep::$slept);
    }

    public function testTheFailureRuleAnswersWhereRedisGoesAwayDuringTheWait(): void
    {
        foreach ([true, false] as $open) {
            $server = new RedisServer([], self::$clock);
            $policy = Policy::fixedWindow('p', 1, 60);
            $limiter = $this->of($open ? $policy->failOpen() : $policy->failClosed(), new NativeLimiter(new RateLimiter($server->url()), new \Psr\Log\NullLogger()));
            $limiter->consume();
            Sleep::meanwhile(static fn () => $server->stop());

            $open
                ? self::assertActsNow($limiter->reserve())
                : self::assertStringContainsString('fails closed', self::refusal($limiter, 1, null)->getMessage());
        }
        self::assertSame([60_000_000, 60_000_000], Sleep::$slept);
    }

    /** @dataProvider kinds */
    #[DataProvider('kinds')]
    public function testWhatATestDeniesIsNotWaitedForAndRememberedOnce(string $kind): void
    {
        $limiter = $this->of(self::policy($kind, 3), $fake = (new FakeLimiter())->denyAfter(1));
        self::assertActsNow($limiter->reserve());
        self::assertStringContainsString('"p" refuses', self::refusal($limiter, 1, null)->getMessage());
        self::assertSame([], Sleep::$slept);
        $fake->assertConsumed('p', times: 2);
    }

    /** @return array<string, array{string}> those that lend nothing and have no queue */
    public static function waiting(): array
    {
        return array_diff_key(self::kinds(), ['token bucket' => true, 'leaky bucket' => true]);
    }

    private function of(Policy $policy, ?Limiter $limiter = null): LimiterInterface
    {
        return new RedisLimiter($limiter ?? new NativeLimiter($this->limiter), $policy, 'alice');
    }

    /** @return array<string, string> the bytes of every key */
    private function dump(): array
    {
        return array_combine(self::$redis->keys(), array_map(static fn (string $key): string => self::$redis->command('DUMP', $key), self::$redis->keys()));
    }

    private static function refusal(LimiterInterface $limiter, int $tokens, ?float $maxTime): MaxWaitDurationExceededException
    {
        try {
            $limiter->reserve($tokens, $maxTime);
        } catch (MaxWaitDurationExceededException $e) {
            return $e;
        }
        self::fail('no MaxWaitDurationExceededException');
    }

    private static function assertActsNow(Reservation $reservation): void
    {
        self::assertSame(0.0, (float) $reservation->getWaitDuration());
        self::assertTrue($reservation->getRateLimit()->isAccepted());
    }
}
