<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use RedisRateLimit\Tenant\Secret;
use RedisRateLimit\Tests\Support\Chromium;
use RedisRateLimit\Tests\Support\FpmPool;
use RedisRateLimit\Tests\Support\HttpClient;
use RedisRateLimit\Tests\Support\HttpResponse;
use RedisRateLimit\Tests\Support\Nginx;
use RedisRateLimit\Tests\Support\TemporaryDirectory;
use RedisRateLimit\Tests\Symfony\App\Application;

/** The profiler panel and the toolbar, looked at in a real browser. */
final class ProfilerTest extends SymfonyTestCase
{
    private const GREEN = 0x4F805D;
    private const RED = 0xB0413E;

    private TemporaryDirectory $directory;
    private FpmPool $pool;
    private Nginx $nginx;

    protected function setUp(): void
    {
        parent::setUp();
        $this->directory = new TemporaryDirectory('ratelimit-symfony');
        $this->directory->write('config.yaml', <<<'YAML'
            redis_rate_limit:
                url: '%env(REDIS_URL)%'
                timeout: 10
                tenant: ip
                routes: { hello: [api, trial, both], parent: queue }
                policies:
                    queue: { policy: leaky_bucket, limit: 3, rate: { amount: 1, interval: 10 } }
                    api: { policy: fixed_window, limit: 4, interval: '1 hour' }
                    trial: { policy: fixed_window, limit: 1, interval: '1 hour', shadow: true }
                    both: { policy: compound, limiters: { few: { policy: fixed_window, limit: 3, interval: 60 }, many: { policy: sliding_log, limit: 100, interval: '1 day' } } }
            services:
                RedisRateLimit\Tests\Symfony\App\HtmlRefusal: { autoconfigure: true }
            YAML);
        (new Application($this->directory->path, full: true))->boot();
        putenv("APP_DIRECTORY={$this->directory->path}");
        putenv('APP_FULL=1');
        putenv('REDIS_URL=' . self::$redis->url());
        $this->pool = new FpmPool(workers: 2);
        $this->nginx = new Nginx($this->pool, __DIR__ . '/App/public/index.php');
    }

    protected function tearDown(): void
    {
        putenv('APP_FULL');
        parent::tearDown();
    }

    public function testThePanelShowsEachDecision(): void
    {
        HttpClient::get($this->nginx->url('/hello'));
        $panel = $this->panelOf(HttpClient::get($this->nginx->url('/hello')));

        self::assertSame(['api', 'trial', 'both'], $panel->texts(self::cells(1) . '/strong'));
        self::assertSame([Secret::hash('ip:127.0.0.1')], array_unique($panel->texts(self::cells(2) . '/code')));
        self::assertSame(['2', '0', '1', '98'], $panel->texts('//*[@role="meter"]/@aria-valuenow'));
        self::assertSame(['4', '1', '3', '100'], $panel->texts('//*[@role="meter"]/@aria-valuemax'));
        self::assertSame(['width: 50%', 'width: 0%', 'width: 33.3%', 'width: 98%'], $panel->texts('//*[@role="meter"]/div/@style'));
        self::assertSame(['allowed', 'allowed', 'shadow', 'allowed'], $panel->texts(self::cells(7) . '/span'));
        self::assertSame([], $panel->texts('//*[contains(., "ip:127.0.0.1")]'));
        foreach ($panel->texts(self::cells(6)) as $microseconds) {
            self::assertGreaterThan(0, (int) $microseconds);
        }
        self::assertGreaterThan(500, $panel->pixels(self::GREEN), 'the bars are drawn');
    }

    public function testThePanelShowsWhatACallCostsAndWhenToComeAgain(): void
    {
        HttpClient::burst(array_fill(0, 2, $this->nginx->url('/invokable')));
        $refused = $this->panelOf(HttpClient::get($this->nginx->url('/invokable')));
        self::assertSame(['2'], $refused->texts(self::cells(3)));
        self::assertSame([date('H:i:s', self::T0 + 3600) . ' retry in 3600 s'], preg_replace('/\s+/', ' ', $refused->texts(self::cells(5))));

        HttpClient::get($this->nginx->url('/parent'));
        $queued = $this->panelOf(HttpClient::get($this->nginx->url('/parent')));
        self::assertSame([date('H:i:s', self::T0 + 10) . ' delay 10 s'], preg_replace('/\s+/', ' ', $queued->texts(self::cells(5))));
    }

    public function testARefusalIsRedInThePanel(): void
    {
        $this->spend();
        $panel = $this->panelOf(HttpClient::get($this->nginx->url('/hello')));

        self::assertSame(['allowed', 'shadow', 'refused'], $panel->texts('//*[contains(@class, "rate-limit-bar refused")]/ancestor::tr/td[7]/span'));
        self::assertSame(['1'], $panel->texts('//*[@id="menu-profiler"]//*[contains(@class, "label-status-error")]/*[@class="count"]'));
        self::assertGreaterThan(500, $panel->pixels(self::RED), 'the bars are drawn');
    }

    public function testTheToolbarOfAPageShowsTheDecisionsAndIsRedOnARefusal(): void
    {
        $page = new Chromium($this->nginx->url('/hello'));
        self::assertSame(['3'], $page->texts(self::badge('normal')));
        self::assertSame(0, self::redInToolbar($page));

        $this->spend();
        $page = new Chromium($this->nginx->url('/hello'));
        self::assertSame(['1 refused'], $page->texts(self::badge('red')));
        self::assertGreaterThan(10, self::redInToolbar($page), 'the badge is drawn');
    }

    public function testADegradedDecisionIsFlagged(): void
    {
        self::$redis->stop();
        try {
            $response = HttpClient::get($this->nginx->url('/hello'));
        } finally {
            self::$redis->restart();
        }

        self::assertSame(['allowed', 'degraded', 'allowed', 'degraded', 'allowed', 'degraded'], $this->panelOf($response)->texts(self::cells(7) . '/span'));
        $toolbar = new Chromium($this->nginx->url("/_wdt/{$response->header('X-Debug-Token')}"));
        self::assertSame(['3'], $toolbar->texts(self::badge('yellow')));
    }

    private function panelOf(HttpResponse $response): Chromium
    {
        return new Chromium($this->nginx->url("/_profiler/{$response->header('X-Debug-Token')}?panel=redis_rate_limit"));
    }

    /** What the tightest policy allows. */
    private function spend(): void
    {
        HttpClient::burst(array_fill(0, 3, $this->nginx->url('/hello')));
    }

    /** Until Symfony 6.1 the whole block is red, since then a line below it, in another red. */
    private static function redInToolbar(Chromium $page): int
    {
        return $page->pixels(self::RED) + $page->pixels(0xE85574);
    }

    private static function cells(int $column): string
    {
        return "//table[contains(@class, 'rate-limits')]/tbody/tr/td[$column]";
    }

    private static function badge(string $status): string
    {
        return "//*[contains(@class, 'sf-toolbar-block-redis_rate_limit') and contains(@class, 'sf-toolbar-status-$status')]//*[@class='sf-toolbar-value']";
    }
}
