<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

use Illuminate\Cache\RateLimiter;
use Illuminate\Cache\RedisStore;
use Illuminate\Cache\Repository;
use Illuminate\Container\Container;
use Illuminate\Events\Dispatcher;
use Illuminate\Redis\Limiters\DurationLimiter;
use Illuminate\Redis\RedisManager;
use Predis\Client;
use Symfony\Component\Cache\Adapter\RedisAdapter;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\RedisStore as LockStore;
use Symfony\Component\RateLimiter\RateLimiterFactory;
use Symfony\Component\RateLimiter\Storage\CacheStorage;

/** What the frameworks and Predis bring, each in its best configuration: phpredis beneath, Redis for locks. */
final class Frameworks
{
    public function __construct(private readonly \Redis $redis, private readonly string $socket, private readonly bool $allow)
    {
    }

    /** @return list<Contender> */
    public function all(): array
    {
        return [$this->predis(), $this->throttle(), $this->laravel(), $this->symfony(locked: false), $this->symfony(locked: true)];
    }

    private function predis(): Contender
    {
        $predis = new Client(['scheme' => 'unix', 'path' => $this->socket]);
        $sha = (new Scripts($this->redis))->sha('token_bucket');
        [$capacity, $period] = $this->allow ? [100_000_000, 1_000] : [1, 3_600_000_000];

        return $this->contender('Predis: token bucket by hand', static fn (): bool => $predis->evalsha($sha, 1, 'predis', $capacity, $period, 1)[0] === 1);
    }

    /** Redis::throttle() */
    private function throttle(): Contender
    {
        $connection = $this->illuminate()->connection('default');
        $limit = $this->limit();

        return $this->contender('Laravel: Redis::throttle', static fn (): bool => (bool) (new DurationLimiter($connection, 'throttle', $limit, 86400))->acquire());
    }

    /** The calls that the middleware ThrottleRequests makes for a request. */
    private function laravel(): Contender
    {
        $limiter = new RateLimiter(new Repository(new RedisStore($this->illuminate(), 'laravel:', 'default')));
        $limit = $this->limit();

        return $this->contender('Laravel: RateLimiter', static function () use ($limiter, $limit): bool {
            if ($limiter->tooManyAttempts('tenant', $limit)) {
                $limiter->availableIn('tenant');

                return false;
            }
            $limiter->hit('tenant', 86400);
            $limiter->retriesLeft('tenant', $limit);

            return true;
        });
    }

    private function symfony(bool $locked): Contender
    {
        $rate = $this->allow ? ['interval' => '1 second', 'amount' => 100_000_000] : ['interval' => '1 day', 'amount' => 1];
        $factory = new RateLimiterFactory(
            ['id' => $locked ? 'locked' : 'free', 'policy' => 'token_bucket', 'limit' => $this->limit(), 'rate' => $rate],
            new CacheStorage(new RedisAdapter($this->redis, 'symfony')),
            $locked ? new LockFactory(new LockStore($this->redis)) : null,
        );

        return $this->contender(
            $locked ? 'Symfony: RateLimiter with lock' : 'Symfony: RateLimiter without lock',
            static fn (): bool => $factory->create('tenant')->consume()->isAccepted(),
        );
    }

    /** @param \Closure(): bool $call */
    private function contender(string $name, \Closure $call): Contender
    {
        $call(); // takes the one that a limit of 1 allows

        return new Contender($name, $call, $this->allow);
    }

    private function limit(): int
    {
        return $this->allow ? 100_000_000 : 1;
    }

    private function illuminate(): RedisManager
    {
        $container = new Container();
        $container->instance('events', new Dispatcher($container));
        $server = ['host' => $this->socket, 'port' => 0, 'database' => 0];

        return new RedisManager($container, 'phpredis', ['default' => $server, 'options' => ['prefix' => '']]);
    }
}
