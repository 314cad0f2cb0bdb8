<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use RedisRateLimit\Bench\Floors;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpKernel\KernelEvents;

/** The least that a limit in Redis costs: one call of a script that does all but decide, and an object of its answer. */
final class FloorSubscriber implements EventSubscriberInterface
{
    /** @var \Closure(): bool */
    private \Closure $floor;

    public function __construct(string $socket)
    {
        $redis = new \Redis();
        $redis->pconnect($socket);
        $this->floor = (new Floors($redis))->single(true)->call;
    }

    public static function getSubscribedEvents(): array
    {
        return [KernelEvents::REQUEST => ['onRequest', 7]];
    }

    public function onRequest(): void
    {
        ($this->floor)();
    }
}
