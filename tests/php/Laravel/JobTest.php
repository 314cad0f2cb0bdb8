<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Pipeline\Pipeline;
use RedisRateLimit\Laravel\Queue\RateLimited;
use RedisRateLimit\RateLimitExceeded;
use RedisRateLimit\UnknownPolicy;

/** Policy "api" holds 3 tokens and gains one every 20 seconds. */
final class JobTest extends ApplicationTestCase
{
    public function testARefusedJobIsReleasedUntilItWouldPass(): void
    {
        $this->assertSame(['ran', null], $this->dispatch(new RateLimited('api', cost: 3)));
        $this->pass(5.5);
        $this->assertSame([null, 15], $this->dispatch(new RateLimited('api')));
        $this->pass(14.5);
        $this->assertSame(['ran', null], $this->dispatch(new RateLimited('api')));
    }

    public function testTenantsHaveBudgetsOfTheirOwn(): void
    {
        $this->dispatch(new RateLimited('api', 'customer:1', 3));
        $this->assertSame(['ran', null], $this->dispatch(new RateLimited('api', 'customer:2')));
        $this->assertSame([null, 20], $this->dispatch(new RateLimited('api', 'customer:1')));
    }

    public function testReleaseAfterAndDontRelease(): void
    {
        $this->dispatch(new RateLimited('api', cost: 3));
        $this->assertSame([null, 90], $this->dispatch((new RateLimited('api'))->releaseAfter(90)));
        $this->assertSame([false, null], $this->dispatch((new RateLimited('api'))->dontRelease()));
    }

    public function testItSurvivesSerialization(): void
    {
        $this->dispatch(new RateLimited('api', cost: 3));
        $this->assertSame([null, 90], $this->dispatch(unserialize(serialize((new RateLimited('api'))->releaseAfter(90)))));
    }

    public function testACostThatNeverPassesFailsTheJob(): void
    {
        $this->expectException(RateLimitExceeded::class);
        $this->dispatch(new RateLimited('api', cost: 4));
    }

    /** Else it would come back for ever, or vanish. */
    public function testACostThatNeverPassesFailsTheJobWhateverIsToBecomeOfRefusedOnes(): void
    {
        foreach ([(new RateLimited('api', cost: 4))->releaseAfter(60), (new RateLimited('api', cost: 4))->dontRelease()] as $middleware) {
            try {
                $this->dispatch($middleware);
                $this->fail('it was released or dropped');
            } catch (RateLimitExceeded $exception) {
                $this->assertSame('cost_exceeds_limit', $exception->decision->reason);
            }
        }
    }

    public function testALeakyBucketsDelayIsWaitedForBeforeTheJobRuns(): void
    {
        $this->app['config']->set('ratelimit.policies.paced', [
            'policy' => 'leaky_bucket', 'limit' => 2, 'rate' => ['amount' => 20, 'interval' => '1 second'],
        ]);
        $this->assertSame(['ran', null], $this->dispatch(new RateLimited('paced')));
        $start = hrtime(true);
        $ran = (new RateLimited('paced'))->handle(new \stdClass(), static fn (): int => hrtime(true));
        $this->assertGreaterThanOrEqual(50_000_000, $ran - $start);
    }

    public function testAnUnknownPolicyFailsTheJob(): void
    {
        $this->expectException(UnknownPolicy::class);
        $this->dispatch(new RateLimited('apy'));
    }

    public function testWithoutRedisAFailClosedJobComesBackSoon(): void
    {
        $this->app['config']->set('ratelimit.url', "unix://{$this->application->path}/no.sock");
        $this->assertSame(['ran', null], $this->dispatch(new RateLimited('api')));
        $this->assertSame([null, 10], $this->dispatch(new RateLimited('closed')));
    }

    /** @return array{mixed, ?int} what the pipeline returned, and for how many seconds the job was released */
    private function dispatch(RateLimited $middleware): array
    {
        $job = new class () {
            public ?int $released = null;

            public function release(int $seconds): void
            {
                $this->released = $seconds;
            }
        };
        $result = (new Pipeline($this->app))->send($job)->through([$middleware])->then(static fn (): string => 'ran');

        return [$result, $job->released];
    }
}
