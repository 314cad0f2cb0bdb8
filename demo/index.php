<?php

/** The demo's application, as PHP-FPM runs it: GET /?policy=NAME&tenant=WHO. */

declare(strict_types=1);

use RedisRateLimit\RateLimiter;

$policies = require __DIR__ . '/policies.php';

$decision = (new RateLimiter())->consume($policies[$_GET['policy']], $_GET['tenant']);

http_response_code(match (true) {
    $decision->allowed => 200,
    $decision->degraded => 503,
    default => 429,
});
foreach ($decision->toHeaders() + $decision->toStandardHeaders() as $name => $value) {
    header("$name: $value");
}
echo json_encode($decision);
