<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Event;

use RedisRateLimit\Decision;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

/** A request is refused. A listener may replace the response; rate limit headers are added to whichever is sent. */
final class RateLimitExceeded
{
    /** @param string $tenantHash Secret::hash() of the tenant: fit for logs */
    public function __construct(
        public readonly Request $request,
        public readonly Decision $decision,
        public readonly string $tenantHash,
        public readonly string $scope,
        private Response $response,
    ) {
    }

    public function getResponse(): Response
    {
        return $this->response;
    }

    public function setResponse(Response $response): void
    {
        $this->response = $response;
    }
}
