<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use PHPUnit\Framework\TestCase;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

/** Stands for Symfony's WebTestCase, whose client needs BrowserKit, which Debian does not have. */
abstract class ClientTestCase extends TestCase
{
    public static Application $application;

    protected static function createClient(): object
    {
        return new class (self::$application) {
            public function __construct(private readonly Application $application)
            {
            }

            public function request(string $method, string $path): Response
            {
                return $this->application->handle(Request::create($path, $method));
            }
        };
    }
}
