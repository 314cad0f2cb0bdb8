<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use RedisRateLimit\Bench\Scripts;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpKernel\Event\RequestEvent;
use Symfony\Component\HttpKernel\KernelEvents;

/** The least that a limit in Redis costs: one call of a script that does nothing, with as many bytes as ours has. */
final class FloorSubscriber implements EventSubscriberInterface
{
    private \Redis $redis;
    private string $sha;

    public function __construct(string $socket)
    {
        $this->redis = new \Redis();
        $this->redis->pconnect($socket);
        $this->sha = (new Scripts($this->redis))->sha('floor_empty');
    }

    public static function getSubscribedEvents(): array
    {
        return [KernelEvents::REQUEST => ['onRequest', 7]];
    }

    public function onRequest(RequestEvent $event): void
    {
        $this->redis->evalSha($this->sha, ['floor', str_repeat('x', 50), 60_000, str_repeat('x', 40)], 1);
    }
}
