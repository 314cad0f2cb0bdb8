<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;

final class GreetingController
{
    public function __invoke(): JsonResponse
    {
        return new JsonResponse(['greeting' => 'hello']);
    }

    public function missing(): never
    {
        abort(404);
    }

    public function broken(): never
    {
        throw new \RuntimeException('broken on purpose');
    }
}
