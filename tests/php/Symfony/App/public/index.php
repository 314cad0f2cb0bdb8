<?php

/** The front controller of the application in the folder that the environment names. */

declare(strict_types=1);

use RedisRateLimit\Tests\Symfony\App\Application;
use Symfony\Component\HttpFoundation\Request;

require dirname(__DIR__, 4) . '/bootstrap.php';

$application = new Application(getenv('APP_DIRECTORY'), getenv('APP_FULL') === '1');
$request = Request::createFromGlobals();
$response = $application->handle($request);
$response->send();
$application->terminate($request, $response);
