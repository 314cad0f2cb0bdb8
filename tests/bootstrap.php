<?php

/**
 * Finds every class a test may use, and stops with one clear sentence when the extension under test is not loaded.
 */

declare(strict_types=1);

$root = dirname(__DIR__);

if (is_file("$root/vendor/autoload.php")) {
    require "$root/vendor/autoload.php";
} else {
    // Without Composer: composer.json says where our classes are, Debian's packages bring the frameworks.
    $composer = json_decode(file_get_contents("$root/composer.json"), true);
    $directories = $composer['autoload-dev']['psr-4'] + $composer['autoload']['psr-4'];
    spl_autoload_register(static function (string $class) use ($root, $directories): void {
        foreach ($directories as $prefix => $directory) {
            $file = "$root/$directory" . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
            if (str_starts_with($class, $prefix) && is_file($file)) {
                require $file;

                return;
            }
        }
    });
    foreach (require __DIR__ . '/debian-packages.php' as $autoload) {
        require_once $autoload;
    }
}

$module = "$root/modules/ratelimit.so";
if (!extension_loaded('ratelimit')) {
    fwrite(STDERR, "The extension is not loaded. Run `make test-php`, or: php -d extension=$module \$(command -v phpunit)\n");
    exit(1);
}
if (!str_contains(file_get_contents('/proc/self/maps'), $module)) {
    fwrite(STDERR, "Another ratelimit.so than $module is loaded: disable the installed one (phpdismod ratelimit).\n");
    exit(1);
}
