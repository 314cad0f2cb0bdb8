<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel;

use Illuminate\Container\Container;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Http\Exceptions\HttpResponseException;
use Illuminate\Http\Request;
use Illuminate\View\ViewException;
use RedisRateLimit\Http\ThrownRefusal;
use RedisRateLimit\RateLimitExceeded;
use Symfony\Component\HttpFoundation\Response;

/** Has Laravel's exception handler answer what Decision::ensureAllowed() throws, in views too, as a refusal. */
final class ThrownRefusals
{
    /** A handler of another kind knows neither reportable() nor renderable(). */
    public static function answer(ExceptionHandler $handler): void
    {
        if ($handler instanceof Handler) {
            $handler->reportable(self::isError(...));
            $handler->renderable(self::response(...));
        }
    }

    /**
     * Who asks too often is no error to be logged; a cost that never passes is, and so is an exception of the
     * application's own, whatever caused it.
     */
    private static function isError(RateLimitExceeded|ViewException $thrown): bool
    {
        $refused = ThrownRefusal::of($thrown);

        return $refused === null || $refused->reason === 'cost_exceeds_limit';
    }

    private static function response(\Throwable $thrown, Request $request): ?Response
    {
        $refused = $thrown instanceof HttpResponseException ? null : ThrownRefusal::of($thrown);
        if ($refused === null) {
            return null;
        }
        /** @var RequestServices $services */
        $services = Container::getInstance()->make(RequestServices::class);

        return $services->refusals()->render($refused, $request);
    }
}
