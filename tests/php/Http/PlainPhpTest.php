<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Http;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\Tests\Support\Clock;
use RedisRateLimit\Tests\Support\FpmPool;
use RedisRateLimit\Tests\Support\HttpClient;
use RedisRateLimit\Tests\Support\Nginx;
use RedisRateLimit\Tests\Support\RedisServer;
use RedisRateLimit\Tests\Support\TemporaryDirectory;

/** The README's recipe without any framework, as it stands there, in front of a script under nginx and PHP-FPM. */
final class PlainPhpTest extends TestCase
{
    private const NOW = 1767225620;

    public function testTheRecipe(): void
    {
        $clock = new Clock(self::NOW);
        $redis = new RedisServer(clock: $clock);
        $directory = new TemporaryDirectory('ratelimit-plain');
        $recipe = $directory->write('recipe.php', $this->recipe());
        $script = $directory->write('index.php', '<?php echo "welcome";');
        $pool = new FpmPool(2, [
            'ratelimit.url' => $redis->url(),
            'ratelimit.timeout_ms' => '2000',
            'ratelimit.refusal_cache' => '0',
            'auto_prepend_file' => $recipe,
        ]);
        $nginx = new Nginx($pool, $script);

        $answers = HttpClient::burst(array_fill(0, 60, $nginx->url()), 4);
        $this->assertSame([200 => 60], array_count_values(array_column($answers, 'status')));
        $this->assertSame('welcome', $answers[0]->body);
        $this->assertSame('60', $answers[0]->header('X-RateLimit-Limit'));
        $refused = HttpClient::get($nginx->url());
        $this->assertSame([429, "Too many requests.\n", '1'], [$refused->status, $refused->body, $refused->header('Retry-After')]);
        $this->assertSame((string) (self::NOW + 1), $refused->header('X-RateLimit-Reset'));
        $clock->advance(1);
        $this->assertSame(200, HttpClient::get($nginx->url())->status);

        $nginx->stop();
        $pool->stop();
        $redis->stop();
    }

    private function recipe(): string
    {
        $readme = file_get_contents(dirname(__DIR__, 3) . '/README.md');
        $this->assertSame(1, preg_match('/\*\*Plain PHP\*\*.*?```php\n(.*?)```/s', $readme, $match));

        return $match[1];
    }
}
