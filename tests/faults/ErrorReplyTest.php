<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Faults;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisRateLimit\Decision;
use RedisRateLimit\Policy;
use RedisRateLimit\Tests\Support\RedisServer;
use RedisRateLimit\Tests\Support\RespClient;
use RedisRateLimit\Tests\Support\TemporaryDirectory;

/**
 * Every error reply has its answer: the failure rule's, with the server and its reason named. Nothing is charged, the
 * outage is warned of once, and once it is over decisions are normal ones. README.md's failure matrix is this table.
 */
final class ErrorReplyTest extends FaultTestCase
{
    /** @return array<string, array{callable(): Fault}> */
    public static function faults(): array
    {
        $faults = [
            'READONLY' => self::readonly(...), 'LOADING' => self::loading(...), 'MASTERDOWN' => self::masterdown(...),
            'BUSY' => self::busy(...), 'OOM' => self::outOfMemory(...), 'MISCONF' => self::misconfigured(...),
            'NOREPLICAS' => self::noReplicas(...), 'WRONGPASS' => self::wrongPassword(...),
            'NOPERM on EVALSHA' => static fn () => self::forbidden('-evalsha'),
            'NOPERM on EVAL' => static fn () => self::forbidden('-eval'),
            'NOPERM on what scripts write' => static fn () => self::forbidden('-@write'),
            'NOPERM on a key' => static fn () => self::forbidden('resetkeys ~rl:{all:alice:global}:bucket'),
            'unknown command EVALSHA' => static fn () => self::renamed('EVALSHA'),
            'unknown command EVAL' => static fn () => self::renamed('EVAL'),
            'unknown command AUTH' => static fn () => self::renamed('AUTH'),
        ];

        return array_map(static fn (callable $fault) => [$fault], $faults);
    }

    /** @dataProvider faults */
    #[DataProvider('faults')]
    public function testTheRuleAnswersAndNothingIsCharged(callable $fault): void
    {
        $fault = $fault();
        $limiter = self::patient($fault->url());
        $policy = self::compound();

        $decisions = [];
        $warnings = self::warningsOf(static function () use ($limiter, $policy, &$decisions): void {
            for ($i = 0; $i < 3; $i++) {
                $decisions[] = $limiter->consume($policy->failClosed(), 'alice');
                $decisions[] = $limiter->consume($policy->failOpen(), 'alice');
            }
        });

        foreach ($decisions as $number => $decision) {
            self::assertDegraded($number % 2 === 1, $fault->says, $decision);
            self::assertStringContainsString("127.0.0.1:{$fault->redis->port}", (string) $decision->error);
        }
        self::assertCount(1, $warnings, implode("\n", $warnings));
        self::assertStringContainsString($fault->says, $warnings[0]);
        self::assertStringContainsString("127.0.0.1:{$fault->redis->port}", $warnings[0]);
        self::assertStringNotContainsString(self::SECRET, $warnings[0]);

        if ($fault->mend !== null) {
            ($fault->mend)();
            $decision = $limiter->consume($policy, 'alice');
            self::assertFalse($decision->degraded, (string) $decision->error);
            self::assertSame(['bucket' => 1, 'log' => 1, 'audit' => 1, 'sliding' => 1, 'fixed' => 1], self::charged($decision));
        } else {
            self::assertSame([], $fault->redis->keys());
        }
    }

    /**
     * Before a login Redis closes on a request of more than ten arguments, such as a compound's, and its reset may
     * overtake its answer: a single policy's is short enough to be answered.
     */
    public function testAServerThatWantsALoginSaysSo(): void
    {
        $redis = new RedisServer();
        $redis->command('CONFIG', 'SET', 'requirepass', self::SECRET);
        $limiter = self::patient($redis->tcpUrl());
        $policy = Policy::fixedWindow('fixed', 5, '1 day')->failClosed();

        $warnings = self::warningsOf(static function () use ($limiter, $policy): void {
            self::assertDegraded(false, 'NOAUTH', $limiter->consume($policy, 'alice'));
            self::assertDegraded(false, 'NOAUTH', $limiter->consume($policy, 'alice'));
        });
        self::assertCount(1, $warnings, implode("\n", $warnings));

        $redis->command('CONFIG', 'SET', 'requirepass', '');
        $decision = $limiter->consume($policy, 'alice');
        self::assertSame([false, 4], [$decision->degraded, $decision->remaining]);
    }

    public function testAScriptThatTheServerForgotIsSentOnceMore(): void
    {
        $redis = new RedisServer();
        $limiter = self::patient($redis->tcpUrl());
        for ($charged = 1; $charged <= 3; $charged++) {
            $redis->command('SCRIPT', 'FLUSH');
            self::assertSame(array_fill(0, 5, $charged), array_values(self::charged($limiter->consume(self::compound(), 'alice'))));
        }
    }

    /** @dataProvider foreignKeys */
    #[DataProvider('foreignKeys')]
    public function testAForeignKeyStartsClean(array $command): void
    {
        $redis = new RedisServer();
        $limiter = self::patient($redis->tcpUrl());
        foreach (['bucket', 'log', 'audit', 'sliding', 'fixed'] as $member) {
            $redis->command(...array_map(static fn (string $part) => $part === 'KEY' ? "rl:{all:alice:global}:$member" : $part, $command));
        }
        foreach ([1, 2] as $charged) {
            $decision = $limiter->consume(self::compound(), 'alice');
            self::assertFalse($decision->degraded, (string) $decision->error);
            self::assertSame(array_fill(0, 5, $charged), array_values(self::charged($decision)));
        }
    }

    /** @return array<string, array{list<string>}> */
    public static function foreignKeys(): array
    {
        return [
            'string' => [['SET', 'KEY', 'what another program keeps here']],
            'hash' => [['HSET', 'KEY', 'field', 'value']],
            'list' => [['RPUSH', 'KEY', 'a', 'b']],
            'set' => [['SADD', 'KEY', 'a', 'b']],
            'sorted set' => [['ZADD', 'KEY', '1', 'a', '2', 'b']],
            'stream' => [['XADD', 'KEY', '*', 'a', 'b']],
        ];
    }

    /** @dataProvider garbage */
    #[DataProvider('garbage')]
    public function testGarbageInsteadOfRespIsNoAnswer(string $bytes, string $says): void
    {
        $impostor = new Impostor($bytes);
        $limiter = self::patient($impostor->url());
        $warnings = self::warningsOf(function () use ($limiter, $says, $impostor): void {
            foreach ([1, 2, 3] as $_) {
                $decision = $limiter->consume(self::compound()->failClosed(), 'alice');
                self::assertDegraded(false, $says, $decision);
                self::assertStringContainsString("127.0.0.1:{$impostor->port}", (string) $decision->error);
            }
        });
        self::assertCount(1, $warnings, implode("\n", $warnings));
    }

    /** @return array<string, array{string, string}> */
    public static function garbage(): array
    {
        return [
            'a web server' => ["HTTP/1.1 400 Bad Request\r\n\r\n", 'did not answer like a Redis server'],
            'zeros' => [str_repeat("\0", 64), 'did not answer like a Redis server'],
            'another type' => [":42\r\n", ''],
            'a null' => ["\$-1\r\n", ''],
            'a text of another length' => ["\$3\r\nabc\r\n", ''],
            'NaNs' => ["\$200\r\n" . str_repeat("\xff", 200) . "\r\n", ''],
            'impossible numbers' => ["\$200\r\n" . str_repeat(pack('e', 1e300), 25) . "\r\n", ''],
            'two replies' => [":1\r\n:2\r\n", 'more than it was asked'],
            'a huge length' => ["\$999999999999\r\n", ''],
            'deep arrays' => [str_repeat("*1\r\n", 5000) . ":1\r\n", ''],
        ];
    }

    /** The request may have run, so it is not sent again. */
    public function testAServerThatHangsUpIsSaidAndAskedOnce(): void
    {
        $impostor = new Impostor(Impostor::HANGS_UP);
        $limiter = self::patient($impostor->url());
        $policy = Policy::fixedWindow('fixed', 5, '1 day')->failClosed();
        $warnings = self::warningsOf(static function () use ($limiter, $policy, $impostor): void {
            for ($call = 1; $call <= 3; $call++) {
                self::assertDegraded(false, "127.0.0.1:{$impostor->port}: closed the connection before it answered", $limiter->consume($policy, 'alice'));
                self::assertCount($call, $impostor->connections());
            }
        });
        self::assertCount(1, $warnings, implode("\n", $warnings));
    }

    private static function readonly(): Fault
    {
        $redis = new RedisServer(['replicaof' => '127.0.0.1 1']);

        return new Fault($redis, 'READONLY', static fn () => $redis->command('REPLICAOF', 'NO', 'ONE'));
    }

    private static function masterdown(): Fault
    {
        $redis = new RedisServer(['replicaof' => '127.0.0.1 1', 'replica-serve-stale-data' => 'no']);

        return new Fault($redis, 'MASTERDOWN', static fn () => $redis->command('REPLICAOF', 'NO', 'ONE'));
    }

    private static function noReplicas(): Fault
    {
        $redis = new RedisServer(['min-replicas-to-write' => '1']);

        return new Fault($redis, 'NOREPLICAS', static fn () => $redis->command('CONFIG', 'SET', 'min-replicas-to-write', '0'));
    }

    /** Loads its own data again, slowly, and answers between two keys. */
    private static function loading(): Fault
    {
        $redis = new RedisServer(['enable-debug-command' => 'yes', 'loading-process-events-interval-bytes' => '1024']);
        $redis->command('EVAL', "for i = 1, 3000 do redis.call('SET', 'key' .. i, ('x'):rep(100)) end", '0');
        $redis->command('CONFIG', 'SET', 'key-load-delay', '10000');
        $client = self::send($redis, 'DEBUG RELOAD');
        $other = new RespClient($redis->url());
        self::waitUntil(static fn () => str_contains($other->command('INFO', 'persistence'), 'loading:1'));

        return new Fault($redis, 'LOADING', static function () use ($redis, $client): void {
            $redis->command('CONFIG', 'SET', 'key-load-delay', '0');
            self::assertSame("+OK\r\n", fgets($client));
        });
    }

    private static function busy(): Fault
    {
        $redis = new RedisServer(['busy-reply-threshold' => '1']);
        $client = self::send($redis, 'EVAL "while true do end" 0');
        self::waitUntil(static function () use ($redis): bool {
            try {
                $redis->command('GET', 'x');
            } catch (\RuntimeException $exception) {
                return str_contains($exception->getMessage(), 'BUSY');
            }

            return false;
        });

        return new Fault($redis, 'BUSY', static function () use ($redis, $client): void {
            $redis->command('SCRIPT', 'KILL');
            fgets($client);
        });
    }

    private static function outOfMemory(): Fault
    {
        $redis = new RedisServer(['maxmemory' => '1', 'maxmemory-policy' => 'noeviction']);

        return new Fault($redis, 'OOM', static fn () => $redis->command('CONFIG', 'SET', 'maxmemory', '0'));
    }

    /** Cannot save to a folder that is gone. */
    private static function misconfigured(): Fault
    {
        $folder = new TemporaryDirectory('ratelimit-gone');
        $redis = new RedisServer(['dir' => $folder->path, 'save' => '3600 1000000']);
        $folder->remove();
        $redis->command('BGSAVE');
        self::waitUntil(static fn () => $redis->info('rdb_last_bgsave_status') === 'err');

        return new Fault($redis, 'MISCONF', static fn () => $redis->command('CONFIG', 'SET', 'stop-writes-on-bgsave-error', 'no', 'save', ''));
    }

    private static function wrongPassword(): Fault
    {
        $redis = new RedisServer();
        $redis->command('CONFIG', 'SET', 'requirepass', 'another');
        $url = 'redis://:' . self::SECRET . "@127.0.0.1:{$redis->port}";

        return new Fault($redis, 'WRONGPASS', static fn () => $redis->command('CONFIG', 'SET', 'requirepass', self::SECRET), $url);
    }

    private static function forbidden(string $rules): Fault
    {
        $redis = new RedisServer();
        $redis->command('ACL', 'SETUSER', 'limiter', 'on', '>' . self::SECRET, '~*', '+@all', ...explode(' ', $rules));
        $url = 'redis://limiter:' . self::SECRET . "@127.0.0.1:{$redis->port}";
        $inScript = version_compare($redis->info('redis_version'), '7.2', '<') ? "can't run this command" : 'ACL failure in script';
        $says = str_contains($rules, '@write') ? $inScript : 'NOPERM';

        return new Fault($redis, $says, static fn () => $redis->command('ACL', 'SETUSER', 'limiter', '~*', '+@all'), $url);
    }

    private static function renamed(string $command): Fault
    {
        $folder = new TemporaryDirectory();
        $redis = new RedisServer(['include' => $folder->write('renamed.conf', "rename-command $command \"\"\n")]);
        $url = 'redis://:' . self::SECRET . "@127.0.0.1:{$redis->port}";
        if ($command !== 'AUTH') {
            $url = $redis->tcpUrl();
        }

        return new Fault($redis, "unknown command '$command'", null, $url);
    }

    /** @return resource the connection on which the answer will come */
    private static function send(RedisServer $redis, string $line)
    {
        $client = stream_socket_client($redis->url());
        fwrite($client, "$line\r\n");

        return $client;
    }
}
