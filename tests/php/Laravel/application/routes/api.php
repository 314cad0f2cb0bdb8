<?php

declare(strict_types=1);

use App\Http\Controllers\GreetingController;
use App\Http\Controllers\LimitedController;
use App\Http\Middleware\FloorLimit;
use App\Http\Middleware\FloorMiddleware;
use Illuminate\Routing\Middleware\ThrottleRequests;
use Illuminate\Routing\Middleware\ThrottleRequestsWithRedis;
use Illuminate\Support\Facades\Route;
use RedisRateLimit\Laravel\Middleware\ThrottleRequests as ReplacedThrottleRequests;

Route::get('/free', GreetingController::class);

// For Laravel's own throttle.
Route::get('/numbers', GreetingController::class)->middleware('throttle:3,1');
Route::get('/other-numbers', GreetingController::class)->middleware('throttle:3,1');
Route::get('/prefixed', GreetingController::class)->middleware('throttle:1,1,uploads');
Route::get('/half-minute', GreetingController::class)->middleware('throttle:1,0.5');
Route::get('/no-time', GreetingController::class)->middleware('throttle:2,0,no-time');
Route::get('/guest-or-user', GreetingController::class)->middleware('throttle:1|2,1,pipe');
Route::get('/user-attribute', GreetingController::class)->middleware('throttle:rate_limit,1,attribute');
Route::get('/by-class', GreetingController::class)->middleware(ThrottleRequests::class . ':1,1,class');
Route::get('/throttled-missing', [GreetingController::class, 'missing'])->middleware('throttle:2,1,missing');
Route::get('/throttled-broken', [GreetingController::class, 'broken'])->middleware('throttle:2,1,broken');
foreach (['api', 'everybody', 'quarter', 'daily', 'vip', 'answer', 'custom', 'careless', 'two', 'crowd', 'header', 'second', 'failures'] as $name) {
    Route::get("/named/$name", GreetingController::class)->middleware("throttle:$name");
}
Route::get('/named/failures/missing', [GreetingController::class, 'missing'])->middleware('throttle:failures');

// For tests/bench/laravel.php.
Route::get('/bench/ThrottleRequests', GreetingController::class)->middleware(ThrottleRequests::class . ':100000000,1,stock');
Route::get('/bench/ThrottleRequestsWithRedis', GreetingController::class)->middleware(ThrottleRequestsWithRedis::class . ':100000000,1,redis');
Route::get('/bench/throttle-replaced', GreetingController::class)->middleware(ReplacedThrottleRequests::class . ':100000000,1,replaced');
Route::get('/bench/ratelimit', GreetingController::class)->middleware('ratelimit:bench');
Route::get('/bench/no-limit', GreetingController::class);
Route::get('/bench/floor-middleware', GreetingController::class)->middleware(FloorMiddleware::class);
Route::get('/bench/floor-limit', GreetingController::class)->middleware(FloorLimit::class);

// For the middleware ratelimit.
Route::middleware('ratelimit:api')->group(static function (): void {
    Route::match(['GET', 'OPTIONS'], '/group', GreetingController::class);
    Route::get('/group-and-route', GreetingController::class)->middleware('ratelimit:api');
    Route::get('/group-and-dearer-route', GreetingController::class)->middleware('ratelimit:api,3');
    Route::get('/missing', [GreetingController::class, 'missing']);
    Route::get('/broken', [GreetingController::class, 'broken']);
    Route::get('/daily', GreetingController::class)->middleware('ratelimit:daily');
});
Route::get('/export', GreetingController::class)->middleware('ratelimit:api,2');
Route::get('/several', GreetingController::class)->middleware('ratelimit:api,daily,2');
Route::get('/crowd', GreetingController::class)->middleware('ratelimit:crowd');
Route::get('/closed', GreetingController::class)->middleware('ratelimit:closed');
Route::get('/private', GreetingController::class)->middleware(['ratelimit:api', 'auth']);
Route::get('/misspelt', GreetingController::class)->middleware('ratelimit:apy');
Route::get('/controller', [LimitedController::class, 'index']);
Route::get('/controller/free', [LimitedController::class, 'free']);
