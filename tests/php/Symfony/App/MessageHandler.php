<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

/** Calls what a test has put into the message. */
final class MessageHandler
{
    public function __invoke(\stdClass $message): void
    {
        ($message->handle)();
    }
}
