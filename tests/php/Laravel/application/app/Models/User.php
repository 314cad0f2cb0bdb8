<?php

declare(strict_types=1);

namespace App\Models;

use Illuminate\Foundation\Auth\User as Authenticatable;

final class User extends Authenticatable
{
    protected $keyType = 'string';

    public static function named(string $id): self
    {
        return (new self())->forceFill(['id' => $id, 'rate_limit' => 2]);
    }
}
