<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\EventListener;

use RedisRateLimit\Decision;
use RedisRateLimit\Http\Headers;
use RedisRateLimit\Http\Refusal;
use RedisRateLimit\Http\RequestLimits;
use RedisRateLimit\Http\ThrownRefusal;
use RedisRateLimit\Symfony\Enforcement\Gate;
use RedisRateLimit\Symfony\Event\RateLimitExceeded;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Event\ExceptionEvent;
use Symfony\Component\HttpKernel\Event\RequestEvent;
use Symfony\Component\HttpKernel\Event\ResponseEvent;
use Symfony\Component\HttpKernel\Exception\HttpExceptionInterface;
use Symfony\Component\HttpKernel\KernelEvents;
use Symfony\Contracts\EventDispatcher\EventDispatcherInterface;

/** Asks the gate about every main request, once the route and the user are known, and adds the headers to its response. */
final class RateLimitSubscriber implements EventSubscriberInterface
{
    private const AFTER_FIREWALL = 7;
    private const BEFORE_ERROR_PAGES = 16;

    public function __construct(
        private Gate $gate,
        private Headers $headers,
        private EventDispatcherInterface $dispatcher,
    ) {
    }

    public static function getSubscribedEvents(): array
    {
        return [
            KernelEvents::REQUEST => ['onRequest', self::AFTER_FIREWALL],
            KernelEvents::EXCEPTION => ['onException', self::BEFORE_ERROR_PAGES],
            KernelEvents::RESPONSE => 'onResponse',
        ];
    }

    public function onRequest(RequestEvent $event): void
    {
        if ($event->isMainRequest()) {
            $this->count($event);
        }
    }

    /**
     * What Decision::ensureAllowed() throws in a controller, or in what that renders or dispatches, is a refusal as well.
     * And a URL that no route matches never comes to onRequest(), but whoever tries many of them is to be limited too.
     */
    public function onException(ExceptionEvent $event): void
    {
        $request = $event->getRequest();
        $thrown = $event->getThrowable();
        $refused = ThrownRefusal::of($thrown);
        if ($refused !== null) {
            if ($event->isMainRequest()) { // a fragment that a page does without comes with the page's request
                $request->attributes->set(RequestLimits::DECISION, $refused);
            }
            $this->refuse($event, $refused);
        } elseif ($event->isMainRequest() && $thrown instanceof HttpExceptionInterface && !self::cameToOnRequest($request)) {
            $this->count($event);
        }
    }

    public function onResponse(ResponseEvent $event): void
    {
        $decision = $event->getRequest()->attributes->get(RequestLimits::DECISION);
        if (!$event->isMainRequest() || !$decision instanceof Decision) {
            return;
        }
        $event->getResponse()->headers->add($this->headers->of($decision));
    }

    /** A fragment's request has a controller without a route. */
    private static function cameToOnRequest(Request $request): bool
    {
        return $request->attributes->has('_route') || $request->attributes->has(RequestLimits::DECISION);
    }

    private function count(RequestEvent $event): void
    {
        $refused = $this->gate->refusal($event->getRequest());
        if ($refused !== null) {
            $this->refuse($event, $refused->decision, $refused->tenant, $refused->scope);
        }
    }

    private function refuse(RequestEvent $event, Decision $refused, ?string $tenant = null, ?string $scope = null): void
    {
        $request = $event->getRequest();
        $refusal = Refusal::of($refused, (string) $request->headers->get('Accept'));
        $response = new Response($refusal->body, $refusal->status, $refusal->headers);
        $exceeded = new RateLimitExceeded($request, $refused, $tenant, $scope, $response);
        $this->dispatcher->dispatch($exceeded);
        $event->setResponse($exceeded->getResponse());
        if ($event instanceof ExceptionEvent) {
            $event->allowCustomResponseCode();
        }
    }
}
