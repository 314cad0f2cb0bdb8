<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Zts;

use PHPUnit\Framework\TestCase;
use RedisRateLimit\Tests\Support\Php;
use RedisRateLimit\Tests\Support\RedisServer;

/** The extension in real threads of one process. make test-zts compiles threads.c and names it in THREADS. */
final class ThreadsTest extends TestCase
{
    private const THREADS = 4;
    private const REQUESTS = 100;

    public function testThreadsShareABudgetExactlyAndCloseTheirConnectionsWhenTheyEnd(): void
    {
        $redis = new RedisServer();
        $scanned = sys_get_temp_dir() . '/ratelimit-threads-' . getmypid();
        mkdir($scanned);
        file_put_contents("$scanned/ratelimit.ini", sprintf(
            "extension=\"%s\"\nratelimit.url=\"%s\"\nratelimit.timeout_ms=10000\ndisplay_errors=stderr\n",
            realpath(Php::MODULE),
            $redis->url(),
        ));

        try {
            $process = proc_open(
                ['timeout', '--signal=KILL', '300', getenv('THREADS'), __DIR__ . '/request.php', (string) self::THREADS, (string) self::REQUESTS],
                [['pipe', 'r'], ['pipe', 'w'], STDERR],
                $pipes,
                null,
                ['PHP_INI_SCAN_DIR' => $scanned] + getenv(),
            );
            $outcome = fgets($pipes[1]);
            $open = substr_count($redis->command('CLIENT', 'LIST'), 'id=') - 1;
            $seen = $redis->connectionsSeen();
            fclose($pipes[0]);
            $exit = proc_close($process);
        } finally {
            unlink("$scanned/ratelimit.ini");
            rmdir($scanned);
        }

        self::assertSame("allowed 150000, failed 0\n", $outcome);
        self::assertSame(self::THREADS, $seen, 'one connection per thread serves all its requests');
        self::assertSame(0, $open, 'a thread that ends closes its connection');
        self::assertSame(0, $exit, 'the process ends cleanly');
        self::assertSame(150_000, self::counted($redis));
    }

    /** How much of the budget Redis holds as spent, asked by another process than the one that spent it. */
    private static function counted(RedisServer $redis): int
    {
        $policy = \RedisRateLimit\Policy::fixedWindow('threads', 150_000, '1 day');
        $left = (new \RedisRateLimit\RateLimiter($redis->url()))->peek($policy, 'everyone')->remaining;

        return 150_000 - $left;
    }
}
