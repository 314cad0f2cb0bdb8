<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Event;

use RedisRateLimit\Decision;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

/**
 * A request is refused, by its limits or by Decision::ensureAllowed() in its controller. A listener may replace the
 * response; rate limit headers are added to whichever is sent.
 */
final class RateLimitExceeded
{
    /**
     * @param ?string $tenant secrets are hashed in it, but names and addresses are not: log Secret::hash() of it; null
     *                        where the application itself asked for the decision
     * @param ?string $scope  null likewise
     */
    public function __construct(
        public readonly Request $request,
        public readonly Decision $decision,
        public readonly ?string $tenant,
        public readonly ?string $scope,
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
