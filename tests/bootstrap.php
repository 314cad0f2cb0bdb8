<?php

/** Stops with one clear sentence when the extension under test is not loaded. */

declare(strict_types=1);

require __DIR__ . '/autoload.php';
require __DIR__ . '/support/limiter-time.php';

$module = dirname(__DIR__) . '/modules/ratelimit.so';
if (!extension_loaded('ratelimit')) {
    fwrite(STDERR, "The extension is not loaded. Run `make test-php`, or: php -d extension=$module \$(command -v phpunit)\n");
    exit(1);
}
if (!str_contains(file_get_contents('/proc/self/maps'), $module)) {
    fwrite(STDERR, "Another ratelimit.so than $module is loaded: disable the installed one (phpdismod ratelimit).\n");
    exit(1);
}
