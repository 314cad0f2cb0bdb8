<?php

declare(strict_types=1);

namespace RedisRateLimit\Laravel\Middleware;

use Closure;
use Illuminate\Cache\RateLimiter;
use Illuminate\Cache\RateLimiting\Unlimited;
use Illuminate\Http\Exceptions\HttpResponseException;
use Illuminate\Http\Request;
use Illuminate\Routing\Middleware\ThrottleRequests as LaravelThrottleRequests;
use Symfony\Component\HttpFoundation\Response;

/**
 * Laravel's own `throttle`, deciding in Redis through the extension. Limiters, keys, headers, responses and exceptions
 * stay Laravel's; the limits of an array are settled together, so that a refused request costs none of them. One object
 * serves all requests.
 *
 * @phpstan-import-type Limit from ThrottlePolicy
 */
final class ThrottleRequests extends LaravelThrottleRequests
{
    /** From where a named limiter answers with Limits to handleRequest(), which comes next. */
    private ?string $limiterName = null;

    /** While a refusal is built: what getTimeUntilNextRetry() and availableAt() answer from. */
    private Window $refused;

    public function __construct(RateLimiter $limiter, private readonly Windows $windows)
    {
        parent::__construct($limiter);
    }

    protected function handleRequestUsingNamedLimiter($request, Closure $next, $limiterName, Closure $limiter)
    {
        try {
            return parent::handleRequestUsingNamedLimiter($request, $next, $limiterName, function (Request $request) use ($limiterName, $limiter) {
                $limits = $limiter($request);
                $this->limiterName = $limits instanceof Response || $limits instanceof Unlimited ? null : $limiterName;

                return $limits;
            });
        } finally {
            $this->limiterName = null; // what are no Limits is an error before handleRequest()
        }
    }

    /**
     * @param Request           $request
     * @param array<int, Limit> $limits
     *
     * @return Response
     */
    protected function handleRequest($request, Closure $next, array $limits)
    {
        [$limiterName, $this->limiterName] = [$this->limiterName, null];
        $sooner = $later = [];
        foreach ($limits as $i => $limit) {
            if (isset($limit->afterCallback)) {
                $later[$i] = $limit;
            } else {
                $sooner[$i] = $limit;
            }
        }
        $windows = $later === [] ? [] : $this->pass($request, $limits, $this->windows->peek($later, $limiterName));
        $windows += $this->pass($request, $limits, $this->windows->consume($sooner, $limiterName));

        /** @var Response $response */
        $response = $next($request);

        foreach ($later as $i => $limit) {
            if (($limit->afterCallback)($response)) {
                $windows = $this->windows->consume([$i => $limit], $limiterName) + $windows;
            }
        }
        foreach ($limits as $i => $limit) {
            if (isset($windows[$i])) {
                $response = $this->addHeaders($response, $limit->maxAttempts, $windows[$i]->remaining);
            }
        }

        return $response;
    }

    /**
     * @param array<int, Limit>  $limits
     * @param array<int, Window> $windows
     *
     * @return array<int, Window>
     */
    private function pass(Request $request, array $limits, array $windows): array
    {
        foreach ($windows as $i => $window) {
            if (!$window->allowed) {
                throw $this->refusal($request, $limits[$i], $window);
            }
        }

        return $windows;
    }

    /** @param Limit $limit */
    private function refusal(Request $request, object $limit, Window $window): \Exception
    {
        $this->refused = $window;
        // Before the application builds its response, for which it may send a request that is refused here too.
        $headers = $this->getHeaders($limit->maxAttempts, 0, $window->retryAfter);
        /** @var \Exception $exception which one depends on the limit: Laravel's own docblock names only the usual one */
        $exception = $this->buildException($request, $limit->key, $limit->maxAttempts, $limit->responseCallback);
        if ($exception instanceof HttpResponseException) {
            $own = $exception->getResponse()->headers;
            foreach ($headers as $name => $value) {
                $own->set((string) $name, $own->get((string) $name, (string) $value));
            }
        }

        return $exception;
    }

    protected function getTimeUntilNextRetry($key)
    {
        return $this->refused->retryAfter;
    }

    protected function availableAt($delay = 0)
    {
        return $this->refused->resetAt;
    }
}
