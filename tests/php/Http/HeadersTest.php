<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Http;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\Decision;
use RedisRateLimit\Http\Headers;
use RedisRateLimit\Policy;
use RedisRateLimit\Testing\FakeDecision;

final class HeadersTest extends TestCase
{
    public function testARefusalBeforeAPass(): void
    {
        $this->assertOrder(
            ['name' => 'never', 'allowed' => false, 'reason' => 'cost_exceeds_limit'],
            ['name' => 'long', 'allowed' => false, 'retryAfter' => 60.0, 'reason' => 'limited'],
            ['name' => 'short', 'allowed' => false, 'retryAfter' => 1.0, 'reason' => 'limited'],
            ['name' => 'closed', 'allowed' => false, 'reason' => 'store_unavailable', 'degraded' => true],
            ['name' => 'empty', 'remaining' => 0],
            ['name' => 'one call of cost 5 left', 'remaining' => 9, 'cost' => 5],
            ['name' => 'two calls left, back late', 'remaining' => 2, 'resetAt' => 2000.0],
            ['name' => 'two calls left, back soon', 'remaining' => 2, 'resetAt' => 1000.0],
            ['name' => 'unlimited', 'remaining' => PHP_INT_MAX, 'resetAt' => null],
            ['name' => 'refuses in shadow mode only', 'remaining' => 0, 'shadow' => true, 'reason' => 'limited', 'retryAfter' => 60.0],
            ['name' => 'open', 'remaining' => 0, 'degraded' => true],
        );
    }

    public function testNoDecisionNoHeaders(): void
    {
        $this->assertNull(Headers::mostRestrictive());
        $this->assertSame([], (new Headers('both'))->of(null));
    }

    public function testModes(): void
    {
        $policy = Policy::fixedWindow('api', 5, 60);
        $pass = FakeDecision::of($policy, true, 4);
        $refusal = FakeDecision::of($policy, false, 0);
        $this->assertSame(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'], array_keys((new Headers('legacy'))->of($pass)));
        $this->assertEqualsCanonicalizing(['RateLimit', 'RateLimit-Policy'], array_keys((new Headers('standard'))->of($pass)));
        $this->assertCount(5, (new Headers('both'))->of($pass));
        $this->assertSame([], (new Headers('none'))->of($pass));
        foreach (Headers::MODES as $mode) {
            $this->assertSame('60', (new Headers($mode))->of($refusal)['Retry-After'], $mode);
        }
    }

    public function testNoModeIsTheLegacyOne(): void
    {
        $pass = FakeDecision::of(Policy::fixedWindow('api', 5, 60), true, 4);
        foreach ([new Headers(), new Headers(null), new Headers('')] as $headers) {
            $this->assertSame((new Headers('legacy'))->of($pass), $headers->of($pass));
        }
    }

    public function testAnUnknownModeIsNamed(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('"legacy", "standard", "both", "none", not "all"');
        new Headers('all');
    }

    /** @param array<string, mixed> ...$decisions the most restrictive first */
    private function assertOrder(array ...$decisions): void
    {
        $base = FakeDecision::of(Policy::fixedWindow('api', 5, 60), true, 4)->jsonSerialize();
        $decisions = array_map(static function (array $data) use ($base): Decision {
            $windows = ($data['degraded'] ?? false) ? [] : $base['windows'];

            return Decision::fromArray(array_diff_key($data, ['name' => 1]) + ['error' => $data['name'], 'windows' => $windows] + $base);
        }, $decisions);
        foreach ($decisions as $i => $stronger) {
            foreach (array_slice($decisions, $i + 1) as $weaker) {
                foreach ([[$stronger, $weaker], [$weaker, $stronger]] as $pair) {
                    $this->assertSame($stronger->error, Headers::mostRestrictive(...$pair)->error);
                }
            }
        }
    }
}
