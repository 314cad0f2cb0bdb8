<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use RedisRateLimit\Tests\Support\FpmPool;
use RedisRateLimit\Tests\Support\Nginx;
use RedisRateLimit\Tests\Support\RedisServer;
use RedisRateLimit\Tests\Support\TemporaryDirectory;

/** Four FPM workers under the load of sixteen clients while Redis is away for some seconds, and back. */
final class Outage
{
    public const COOLDOWN = 1.0;

    /** Prints no more than an empty script would: what it costs is the decision. */
    private const DECIDE = <<<'PHP'
        <?php
        echo (int) (new RedisRateLimit\RateLimiter())->consume(RedisRateLimit\Policy::tokenBucket('api', 1_000_000_000, 1), 'alice')->degraded;
        PHP;

    /** @var list<array{at: float, seconds: float, status: int, degraded: bool}> */
    public readonly array $answers;

    /** @var list<float> when the one who took Redis' place was connected to */
    public readonly array $connections;

    public readonly float $began;
    public readonly float $ended;
    public readonly string $log;

    /**
     * @param bool $replaced by a listener that never answers, else Redis is stopped in the middle (SIGSTOP)
     * @param int  $timeout  ratelimit.timeout_ms
     */
    public function __construct(float $seconds, bool $replaced, int $timeout = 50)
    {
        $redis = new RedisServer();
        $directory = new TemporaryDirectory();
        $pool = new FpmPool(4, ['ratelimit.url' => $redis->tcpUrl(), 'ratelimit.timeout_ms' => (string) $timeout]);
        $nginx = new Nginx($pool, $directory->write('index.php', self::DECIDE));
        $load = new Load($nginx->url(), $seconds + 4);
        usleep(1_500_000);
        $this->began = microtime(true);
        if ($replaced) {
            $redis->stop();
            $impostor = new Impostor('', $redis->port);
            usleep((int) ($seconds * 1e6));
            $this->connections = $impostor->connections();
            $impostor->stop();
            $redis->start();
        } else {
            $redis->freeze();
            usleep((int) ($seconds * 1e6));
            $redis->thaw();
            $this->connections = [];
        }
        $this->ended = microtime(true);
        $this->answers = array_map(static fn (array $answer) => $answer + ['degraded' => $answer['body'] === '1'], $load->answers());
        $this->log = $pool->log();
    }

    /** @return list<array{at: float, seconds: float, status: int, degraded: bool}> between two times, in seconds from its beginning */
    public function between(float $from, float $to): array
    {
        return array_values(array_filter($this->answers, fn (array $answer) => $answer['at'] - $this->began >= $from && $answer['at'] - $this->began < $to));
    }
}
