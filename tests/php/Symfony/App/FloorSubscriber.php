<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use RedisRateLimit\Bench\Floors;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpKernel\Event\RequestEvent;
use Symfony\Component\HttpKernel\Event\ResponseEvent;
use Symfony\Component\HttpKernel\KernelEvents;

/**
 * The least that a limit in Redis costs: the client's address, one call of a script that does all but decide, an object
 * of its answer, and headers.
 */
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
        return [KernelEvents::REQUEST => ['onRequest', 7], KernelEvents::RESPONSE => 'onResponse'];
    }

    public function onRequest(RequestEvent $event): void
    {
        $request = $event->getRequest();
        ($this->floor)();
        $request->attributes->set('_floor', $request->getClientIp());
    }

    public function onResponse(ResponseEvent $event): void
    {
        if ($event->getRequest()->attributes->get('_floor') !== null) {
            $event->getResponse()->headers->add(['X-RateLimit-Limit' => '60', 'X-RateLimit-Remaining' => '59', 'X-RateLimit-Reset' => '60']);
        }
    }
}
