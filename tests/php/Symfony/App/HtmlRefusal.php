<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use RedisRateLimit\Symfony\Event\RateLimitExceeded;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpFoundation\Response;

/** Answers refusals with a page, which the web debug toolbar is added to: with 200, so that nothing else in it is red. */
final class HtmlRefusal implements EventSubscriberInterface
{
    public static function getSubscribedEvents(): array
    {
        return [RateLimitExceeded::class => 'onExceeded'];
    }

    public function onExceeded(RateLimitExceeded $event): void
    {
        $event->setResponse(new Response('<html><body>Slow down.</body></html>'));
    }
}
