<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Cache\RateLimiting\Limit;
use Illuminate\Http\Exceptions\ThrottleRequestsException;
use PHPUnit\Framework\Attributes\DataProvider;

/**
 * What an application written for Laravel's throttle expects of it, whoever decides. Windows are left by a second more
 * than Retry-After says, as Laravel's array store holds an entry through its last second.
 */
abstract class ThrottleContract extends ApplicationTestCase
{
    /** What of the first limit is left once the second one of an array has refused two requests of four. */
    abstract protected function leftOfTheFirstLimit(): int;

    public function testNumbers(): void
    {
        foreach ([2, 1, 0] as $remaining) {
            $this->getJson('/numbers')->assertOk()
                ->assertHeader('X-RateLimit-Limit', '3')
                ->assertHeader('X-RateLimit-Remaining', (string) $remaining)
                ->assertHeaderMissing('X-RateLimit-Reset')
                ->assertHeaderMissing('Retry-After');
        }
        $this->pass(20);
        $this->getJson('/numbers')->assertStatus(429)
            ->assertHeader('X-RateLimit-Limit', '3')
            ->assertHeader('X-RateLimit-Remaining', '0')
            ->assertHeader('Retry-After', '40')
            ->assertHeader('X-RateLimit-Reset', (string) (self::T0 + 60))
            ->assertJson(['message' => 'Too Many Attempts.']);
        $this->pass(41);
        $this->getJson('/numbers')->assertOk()->assertHeader('X-RateLimit-Remaining', '2');
    }

    public function testRoutesWithTheSameNumbersShareABudget(): void
    {
        $this->getJson('/numbers')->assertHeader('X-RateLimit-Remaining', '2');
        $this->getJson('/other-numbers')->assertHeader('X-RateLimit-Remaining', '1');
    }

    public function testAPrefixIsABudgetOfItsOwn(): void
    {
        $this->getJson('/prefixed')->assertOk();
        $this->getJson('/prefixed')->assertStatus(429);
        $this->getJson('/numbers')->assertHeader('X-RateLimit-Remaining', '2');
    }

    public function testHalfAMinute(): void
    {
        $this->getJson('/half-minute')->assertOk();
        $this->getJson('/half-minute')->assertStatus(429)->assertHeader('Retry-After', '30');
        $this->pass(31);
        $this->getJson('/half-minute')->assertOk();
    }

    public function testAWindowOfNoTimeIsOverAtOnce(): void
    {
        for ($i = 0; $i < 4; $i++) {
            $this->getJson('/no-time')->assertOk()->assertHeader('X-RateLimit-Limit', '2')->assertHeader('X-RateLimit-Remaining', '2');
        }
    }

    public function testGuestsAndUsers(): void
    {
        $this->getJson('/guest-or-user')->assertHeader('X-RateLimit-Limit', '1');
        $this->getJson('/guest-or-user')->assertStatus(429);
        $this->asUser('7');
        $this->getJson('/guest-or-user')->assertHeader('X-RateLimit-Limit', '2')->assertHeader('X-RateLimit-Remaining', '1');
        $this->getJson('/user-attribute')->assertHeader('X-RateLimit-Limit', '2')->assertHeader('X-RateLimit-Remaining', '1');
    }

    public function testTheMiddlewareNamedByItsClass(): void
    {
        $this->getJson('/by-class')->assertOk();
        $this->getJson('/by-class')->assertStatus(429);
    }

    public function testErrorsCarryHeaders(): void
    {
        $this->getJson('/throttled-missing')->assertStatus(404)->assertHeader('X-RateLimit-Remaining', '1');
        $this->getJson('/throttled-broken')->assertStatus(500)->assertHeader('X-RateLimit-Remaining', '1');
    }

    public function testTheExceptionIsLaravels(): void
    {
        $this->getJson('/named/daily')->assertOk();
        $this->withoutExceptionHandling();
        try {
            $this->getJson('/named/daily');
            $this->fail('the second request passed');
        } catch (ThrottleRequestsException $exception) {
            $this->assertSame(429, $exception->getStatusCode());
            $this->assertSame('Too Many Attempts.', $exception->getMessage());
            $this->assertEquals([
                'X-RateLimit-Limit' => 1, 'X-RateLimit-Remaining' => 0, 'Retry-After' => 86400, 'X-RateLimit-Reset' => self::T0 + 86400,
            ], $exception->getHeaders());
        }
    }

    public function testNamedLimitersCountByTheirKey(): void
    {
        foreach ([2, 1, 0] as $remaining) {
            $this->getJson('/named/api')->assertHeader('X-RateLimit-Remaining', (string) $remaining);
        }
        $this->getJson('/named/api')->assertStatus(429)->assertHeader('Retry-After', '60');
        $this->asUser('9');
        $this->getJson('/named/api')->assertOk()->assertHeader('X-RateLimit-Remaining', '2');
    }

    public function testALimitWithoutAKeyIsForEverybody(): void
    {
        $this->getJson('/named/everybody')->assertHeader('X-RateLimit-Remaining', '1');
        $this->asUser('1');
        $this->getJson('/named/everybody')->assertHeader('X-RateLimit-Remaining', '0');
        $this->asUser('2');
        $this->getJson('/named/everybody')->assertStatus(429)->assertHeader('Retry-After', '3600');
    }

    /** @dataProvider windows */
    #[DataProvider('windows')]
    public function testOtherWindows(string $name, int $seconds): void
    {
        $this->getJson("/named/$name")->assertOk();
        $this->pass($seconds - 1);
        $this->getJson("/named/$name")->assertStatus(429)->assertHeader('Retry-After', '1');
        $this->pass(2);
        $this->getJson("/named/$name")->assertOk();
    }

    /** @return array<string, array{string, int}> */
    public static function windows(): array
    {
        $seconds = method_exists(Limit::class, 'perSecond') ? ['perSecond' => ['second', 1]] : [];

        return ['perMinutes' => ['quarter', 900], 'perDay' => ['daily', 86400]] + $seconds;
    }

    /**
     * @dataProvider counted
     *
     * @param list<array{string, int, string}> $requests each one's path, its status and what is then left
     */
    #[DataProvider('counted')]
    public function testWhatIsCounted(array $requests): void
    {
        foreach ($requests as [$path, $status, $remaining]) {
            $this->getJson($path)->assertStatus($status)->assertHeader('X-RateLimit-Remaining', $remaining);
        }
    }

    /** @return array<string, array{list<array{string, int, string}>}> */
    public static function counted(): array
    {
        $all = [['/named/everybody', 200, '1'], ['/named/everybody', 200, '0'], ['/named/everybody', 429, '0']];
        $missing = ['/named/failures/missing', 404];
        $failures = [['/named/failures', 200, '2'], [...$missing, '1'], ['/named/failures', 200, '1'], [...$missing, '0'], ['/named/failures', 429, '0']];

        return ['every request' => [$all]] + (method_exists(Limit::class, 'after') ? ['those that after() says' => [$failures]] : []);
    }

    public function testNoneIsUnlimitedAndSilent(): void
    {
        $this->asUser('1');
        for ($i = 0; $i < 3; $i++) {
            $this->getJson('/named/vip')->assertOk()->assertHeaderMissing('X-RateLimit-Limit');
        }
    }

    public function testALimiterMayAnswerItself(): void
    {
        $this->assertSame('closed for today', $this->getJson('/named/answer')->assertStatus(403)->getContent());
    }

    public function testACustomResponseKeepsTheHeaders(): void
    {
        $this->getJson('/named/custom')->assertOk();
        $answer = $this->getJson('/named/custom')->assertStatus(429)
            ->assertHeader('Retry-After', '60')
            ->assertHeader('X-RateLimit-Limit', '1')
            ->assertHeader('X-RateLimit-Remaining', '0')
            ->assertHeader('X-RateLimit-Reset', (string) (self::T0 + 60));
        $this->assertSame('slow down', $answer->getContent());
    }

    public function testAnArrayOfLimits(): void
    {
        $this->asUser('5');
        $this->getJson('/named/two')->assertOk()->assertHeader('X-RateLimit-Limit', '2')->assertHeader('X-RateLimit-Remaining', '1');
        $this->getJson('/named/two')->assertOk()->assertHeader('X-RateLimit-Limit', '2')->assertHeader('X-RateLimit-Remaining', '0');
        $answer = $this->getJson('/named/two')->assertStatus(429)->assertHeader('Retry-After', '3600');
        $this->assertSame('too many from here', $answer->getContent());
    }

    public function testWhatARefusalOfTheSecondLimitLeavesOfTheFirst(): void
    {
        $from = ['REMOTE_ADDR' => '192.0.2.1'];
        $this->asUser('5');
        foreach ([200, 200, 429, 429] as $status) {
            $this->withServerVariables($from)->getJson('/named/two')->assertStatus($status);
        }
        // Elsewhere the same user meets a fresh second limit, so that what is left of the first one shows.
        $left = 0;
        while ($left < 3 && $this->withServerVariables(['REMOTE_ADDR' => "192.0.2.1$left"])->getJson('/named/two')->isOk()) {
            $left++;
        }
        $this->assertSame($this->leftOfTheFirstLimit(), $left);
    }

    /** @dataProvider odd */
    #[DataProvider('odd')]
    public function testOddKeysAreTenantsOfTheirOwn(string $tenant): void
    {
        $this->getJson('/named/header', ['X-Tenant' => 'a'])->assertOk();
        $this->getJson('/named/header', ['X-Tenant' => $tenant])->assertOk();
        $this->getJson('/named/header', ['X-Tenant' => $tenant])->assertStatus(429);
    }

    /** @return list<array{string}> */
    public static function odd(): array
    {
        return [["john'doe"], ['"a&b"'], ['ⓐ']];
    }

    private function asUser(string $id): void
    {
        $this->app['auth']->forgetGuards();
        $this->withHeader('X-User', $id);
    }
}
