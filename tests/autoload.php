<?php

/** Finds every class that a test or the demo may use. */

declare(strict_types=1);

$root = dirname(__DIR__);

if (is_file("$root/vendor/autoload.php")) {
    require "$root/vendor/autoload.php";
} else {
    // Without Composer: composer.json says where our classes are, Debian's packages bring the frameworks.
    $composer = json_decode(file_get_contents("$root/composer.json"), true);
    spl_autoload_register(static function (string $class) use ($root, $composer): void {
        foreach ($composer['autoload-dev']['psr-4'] as $prefix => $directory) {
            $file = "$root/$directory" . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
            if (str_starts_with($class, $prefix) && is_file($file)) {
                require $file;

                return;
            }
        }
    });
    require __DIR__ . '/support/installed-versions.php';
    foreach (require __DIR__ . '/debian-packages.php' as $autoload) {
        require_once $autoload;
    }
}
