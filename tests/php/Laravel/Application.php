<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Laravel;

use Illuminate\Contracts\Console\Kernel;
use Illuminate\Foundation\Application as LaravelApplication;
use RedisRateLimit\Tests\Support\Php;
use RedisRateLimit\Tests\Support\TemporaryDirectory;

/** A copy of the application in application/, which has the package installed, in a folder that it may write to. */
final class Application
{
    public readonly string $path;

    private readonly TemporaryDirectory $directory;

    /** @param array<string, mixed> $config what is to be otherwise than config/ says: ['ratelimit.url' => …] */
    public function __construct(array $config = [])
    {
        $this->directory = new TemporaryDirectory('ratelimit-laravel');
        $this->path = $this->directory->path;
        $root = dirname(__DIR__, 3);
        exec(sprintf('cp -r %s/application/. %s', escapeshellarg(__DIR__), escapeshellarg($this->path)));
        foreach (['bootstrap/cache', 'storage/framework/views', 'storage/logs', 'resources/views', 'vendor/composer'] as $folder) {
            mkdir("{$this->path}/$folder", 0777, true);
        }
        // Where Laravel looks for packages to discover.
        $package = json_decode(file_get_contents("$root/php/composer.json"), true);
        $this->directory->write('vendor/composer/installed.json', json_encode(['packages' => [$package]]));
        $this->directory->write('overrides.json', json_encode($config, JSON_THROW_ON_ERROR));
        $this->directory->write('autoload.php', sprintf('<?php require %s;', var_export("$root/tests/autoload.php", true)));
    }

    public function boot(): LaravelApplication
    {
        $app = require "{$this->path}/bootstrap/app.php";
        $app->make(Kernel::class)->bootstrap();

        return $app;
    }

    /** @return array{stdout: string, stderr: string, exit: int} */
    public function artisan(string ...$arguments): array
    {
        return Php::invoke(["{$this->path}/artisan", '--no-ansi', ...$arguments], ['error_reporting' => '8191']);
    }

    public function log(): string
    {
        return (string) @file_get_contents("{$this->path}/storage/logs/laravel.log");
    }
}
