<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Http\Request;

/** A tenant resolver as an application would write one. */
final class FromQuery
{
    public function __invoke(Request $request): ?string
    {
        return $request->query('tenant');
    }
}
