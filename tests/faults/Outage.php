<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

/** Four FPM workers under the load of sixteen clients while Redis is away for some seconds, and back. */
final class Outage
{
    public const COOLDOWN = 1.0;

    /** Prints no more than an empty script would, and with the query ?empty is one: what it costs is the decision. */
    public const DECIDE = <<<'PHP'
        <?php
        if ($_SERVER['QUERY_STRING'] === 'empty') {
            exit('0');
        }
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
        $site = new Site(self::DECIDE, $timeout);
        $redis = $site->redis;
        $load = new Load($site->nginx->url(), $seconds + 4);
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
        $this->answers = array_map(static fn (array $answer) => $answer + ['degraded' => $answer['body'] === '1'], iterator_to_array($load->answers(), false));
        $this->log = $site->pool->log();
    }

    /** @return list<array{at: float, seconds: float, status: int, degraded: bool}> between two times, in seconds from its beginning */
    public function between(float $from, float $to): array
    {
        return array_values(array_filter($this->answers, fn (array $answer) => $answer['at'] - $this->began >= $from && $answer['at'] - $this->began < $to));
    }
}
