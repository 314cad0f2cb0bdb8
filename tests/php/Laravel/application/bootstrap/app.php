<?php

declare(strict_types=1);

use Illuminate\Foundation\Application;
use Illuminate\Foundation\Bootstrap\LoadConfiguration;

spl_autoload_register(static function (string $class): void {
    $file = dirname(__DIR__) . '/app/' . strtr(substr($class, strlen('App\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'App\\') && is_file($file)) {
        require $file;
    }
});

$app = new Application(dirname(__DIR__));
if (method_exists($app, 'dontMergeFrameworkConfiguration')) {
    $app->dontMergeFrameworkConfiguration();
}
$app->singleton(Illuminate\Contracts\Http\Kernel::class, App\Http\Kernel::class);
$app->singleton(Illuminate\Contracts\Console\Kernel::class, Illuminate\Foundation\Console\Kernel::class);
$app->singleton(Illuminate\Contracts\Debug\ExceptionHandler::class, Illuminate\Foundation\Exceptions\Handler::class);
// What a test wants otherwise than config/ says.
$app->afterBootstrapping(LoadConfiguration::class, static function (Application $app): void {
    $app->make('config')->set(json_decode(file_get_contents($app->basePath('overrides.json')), true, flags: JSON_THROW_ON_ERROR));
});

return $app;
