<?php

declare(strict_types=1);

namespace App\Http;

use Illuminate\Auth\Middleware\Authenticate;
use Illuminate\Foundation\Http\Kernel as HttpKernel;
use Illuminate\Routing\Middleware\SubstituteBindings;
use Illuminate\Routing\Middleware\ThrottleRequests;

final class Kernel extends HttpKernel
{
    protected $middleware = [];
    protected $middlewareGroups = ['api' => [SubstituteBindings::class]];
    protected $routeMiddleware = ['auth' => Authenticate::class, 'throttle' => ThrottleRequests::class];
}
