<?php

/** Runs one measurement, whose class is the first argument, and prints its results as JSON: run.php's child. */

declare(strict_types=1);

require dirname(__DIR__) . '/autoload.php';

// The frameworks of Debian are older than this PHP.
error_reporting(E_ALL & ~E_DEPRECATED & ~E_USER_DEPRECATED);
set_error_handler(static function (int $level, string $text, string $file, int $line): bool {
    // A warning would be a wrong figure; one silenced with @ is meant.
    return (error_reporting() & $level) === 0 ? true : throw new ErrorException($text, 0, $level, $file, $line);
});

[, $measurement, $quick] = $argv;
echo json_encode($measurement::run((bool) $quick), JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
