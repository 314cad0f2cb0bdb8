<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use RedisRateLimit\Symfony\Event\RateLimitDegraded;
use RedisRateLimit\Symfony\Event\RateLimitExceeded;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpFoundation\Response;

/** Remembers the bundle's events; answers refusals itself where a test gives it a response. */
final class Listener implements EventSubscriberInterface
{
    /** @var list<RateLimitExceeded> */
    public array $exceeded = [];

    /** @var list<RateLimitDegraded> */
    public array $degraded = [];

    public ?Response $answer = null;

    public static function getSubscribedEvents(): array
    {
        return [RateLimitExceeded::class => 'onExceeded', RateLimitDegraded::class => 'onDegraded'];
    }

    public function onExceeded(RateLimitExceeded $event): void
    {
        $this->exceeded[] = $event;
        if ($this->answer !== null) {
            $event->setResponse($this->answer);
        }
    }

    public function onDegraded(RateLimitDegraded $event): void
    {
        $this->degraded[] = $event;
    }
}
