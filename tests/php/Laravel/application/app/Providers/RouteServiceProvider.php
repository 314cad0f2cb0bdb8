<?php

declare(strict_types=1);

namespace App\Providers;

use App\Models\User;
use Illuminate\Cache\RateLimiting\Limit;
use Illuminate\Foundation\Support\Providers\RouteServiceProvider as ServiceProvider;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Auth;
use Illuminate\Support\Facades\RateLimiter;
use Illuminate\Support\Facades\Route;
use Symfony\Component\HttpFoundation\Response;

final class RouteServiceProvider extends ServiceProvider
{
    public function boot(): void
    {
        // Whoever says to be a user is one.
        Auth::viaRequest('header', static fn (Request $request): ?User => $request->hasHeader('X-User')
            ? User::named($request->header('X-User'))
            : null);
        $this->limiters();
        $this->routes(static fn () => Route::middleware('api')->group(base_path('routes/api.php')));
    }

    private function limiters(): void
    {
        RateLimiter::for('api', static fn (Request $request) => Limit::perMinute(3)->by($request->user()?->id ?: $request->ip()));
        RateLimiter::for('everybody', static fn () => Limit::perHour(2));
        RateLimiter::for('quarter', static fn (Request $request) => Limit::perMinutes(15, 1)->by($request->ip()));
        RateLimiter::for('daily', static fn (Request $request) => Limit::perDay(1)->by($request->ip()));
        RateLimiter::for('vip', static fn (Request $request) => $request->hasHeader('X-User') ? Limit::none() : Limit::perMinute(1));
        RateLimiter::for('answer', static fn () => response('closed for today', 403));
        RateLimiter::for('custom', static fn () => Limit::perMinute(1)
            ->response(static fn (Request $request, array $headers) => response('slow down', 429, $headers)));
        RateLimiter::for('careless', static fn () => Limit::perMinute(1)->response(static fn () => response('slow down', 429)));
        RateLimiter::for('two', static fn (Request $request) => [
            Limit::perMinute(3)->by('user:' . $request->header('X-User')),
            Limit::perHour(2)->by('ip:' . $request->ip())
                ->response(static fn (Request $request, array $headers) => response('too many from here', 429, $headers)),
        ]);
        // Of later Laravels only.
        RateLimiter::for('second', static fn () => Limit::perSecond(1));
        RateLimiter::for('failures', static fn () => Limit::perMinute(2)->after(static fn (Response $response): bool => $response->isNotFound()));
        RateLimiter::for('crowd', static fn () => Limit::perHour(1000)->by('crowd'));
        RateLimiter::for('header', static fn (Request $request) => Limit::perMinute(1)->by($request->header('X-Tenant')));
    }
}
