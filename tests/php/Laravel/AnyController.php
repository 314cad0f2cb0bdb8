<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

/** Stands for the controllers that the documentation's routes name. */
final class AnyController
{
    public function index(): string
    {
        return '';
    }

    public function store(): string
    {
        return '';
    }
}
