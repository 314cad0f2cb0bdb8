<?php

return [

    /*
     * Where the state lives: redis://[user:password@]host[:port][/db], rediss://…, unix:///path?db=0,
     * redis-cluster://host:port,host:port, redis-sentinel://host:port,host:port/master.
     * Null takes the connection below from the redis section of config/database.php.
     */
    'url' => env('RATELIMIT_URL'),
    'connection' => env('RATELIMIT_CONNECTION', 'default'),

    // First part of every key. Null: the connection's own prefix and "rl".
    'prefix' => env('RATELIMIT_PREFIX'),

    // Seconds that one decision may take, connecting included: 0.05 is 50 ms. Null: the ini setting ratelimit.timeout_ms.
    'timeout' => env('RATELIMIT_TIMEOUT'),

    // What holds while Redis does not answer, for policies that do not say: "open" lets pass, "closed" answers 503.
    'on_failure' => env('RATELIMIT_ON_FAILURE', 'open'),

    // "legacy" (X-RateLimit-*), "standard" (RateLimit, RateLimit-Policy), "both" or "none".
    'headers' => env('RATELIMIT_HEADERS', 'legacy'),

    /*
     * True: every throttle:… of the application, and every RateLimiter::for() limiter that one names, is decided by the
     * extension, unless your alias "throttle" is another class than Laravel's. `php artisan ratelimit:list` says which.
     */
    'replace_throttle' => filter_var(env('RATELIMIT_REPLACE_THROTTLE', false), FILTER_VALIDATE_BOOLEAN),

    /*
     * Who is counted: the first of these that is known. "user" (its id), "token" (the bearer token, hashed),
     * "header:X-API-Key" (any header, hashed), "ip" (IPv6 by /64), or an invokable class that gets the request.
     */
    'tenants' => ['user', 'token', 'ip'],

    // Name to policy, attached as ratelimit:api, or ratelimit:export,5 to take 5 at once.
    'policies' => [
        'api' => ['policy' => 'token_bucket', 'limit' => 60, 'rate' => ['amount' => 60, 'interval' => '1 minute']],
    ],

];
