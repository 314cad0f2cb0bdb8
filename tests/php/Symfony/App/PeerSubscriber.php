<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpKernel\Event\RequestEvent;
use Symfony\Component\HttpKernel\Event\ResponseEvent;
use Symfony\Component\HttpKernel\Exception\TooManyRequestsHttpException;
use Symfony\Component\HttpKernel\KernelEvents;
use Symfony\Component\RateLimiter\RateLimit;
use Symfony\Component\RateLimiter\RateLimiterFactory;

/** Symfony's own limiter on every route, as its documentation writes it: what the benchmark compares with. */
final class PeerSubscriber implements EventSubscriberInterface
{
    public function __construct(private RateLimiterFactory $factory)
    {
    }

    public static function getSubscribedEvents(): array
    {
        return [KernelEvents::REQUEST => ['onRequest', 7], KernelEvents::RESPONSE => 'onResponse'];
    }

    public function onRequest(RequestEvent $event): void
    {
        $request = $event->getRequest();
        $limit = $this->factory->create($request->getClientIp())->consume();
        $request->attributes->set('_limit', $limit);
        if (!$limit->isAccepted()) {
            throw new TooManyRequestsHttpException();
        }
    }

    public function onResponse(ResponseEvent $event): void
    {
        $limit = $event->getRequest()->attributes->get('_limit');
        if ($limit instanceof RateLimit) {
            $event->getResponse()->headers->add([
                'X-RateLimit-Remaining' => (string) $limit->getRemainingTokens(),
                'X-RateLimit-Retry-After' => (string) ($limit->getRetryAfter()->getTimestamp() - time()),
                'X-RateLimit-Limit' => (string) $limit->getLimit(),
            ]);
        }
    }
}
