<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Routing\Controller;

final class LimitedController extends Controller
{
    public function __construct()
    {
        $this->middleware('ratelimit:api')->only('index');
    }

    public function index(): string
    {
        return 'limited';
    }

    public function free(): string
    {
        return 'free';
    }
}
