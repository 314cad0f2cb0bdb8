<?php

$redis = new Redis();
$redis->pconnect(substr(ini_get('ratelimit.url'), strlen('unix://')));
$arguments = ['api:203.0.113.77', 100_000_000, 1_000, 1];
$answer = $redis->evalSha(getenv('BY_HAND_SHA'), $arguments, 1);
if ($answer === false) { // not loaded yet
    $answer = $redis->eval(file_get_contents(__DIR__ . '/../lua/token_bucket.lua'), $arguments, 1);
}
if ($answer[0] !== 1) {
    http_response_code(429);
}
