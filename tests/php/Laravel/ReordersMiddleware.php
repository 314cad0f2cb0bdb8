<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Contracts\Http\Kernel;
use Illuminate\Support\ServiceProvider;

/** Does what packages of multi-tenancy do: the kernel hands its own order to the router once more. */
final class ReordersMiddleware extends ServiceProvider
{
    public function boot(): void
    {
        $this->app->make(Kernel::class)->prependToMiddlewarePriority(self::class);
    }
}
