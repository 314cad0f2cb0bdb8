<?php

/** The autoloaders of the frameworks and clients that Debian's packages have put on this machine. */

declare(strict_types=1);

$packages = [
    'Symfony/Bundle/FrameworkBundle',
    'Symfony/Bundle/TwigBundle',
    'Symfony/Bundle/WebProfilerBundle',
    'Symfony/Bundle/SecurityBundle',
    'Symfony/Component/RateLimiter',
    'Symfony/Component/Lock',
    'Symfony/Component/Console',
    'Symfony/Component/HttpClient',
    'Symfony/Component/Messenger',
    'Symfony/Component/Yaml',
    'Predis',
    'Illuminate',
    'Nyholm/Psr7',
];

return array_filter(array_map(static fn (string $package): string => "/usr/share/php/$package/autoload.php", $packages), 'is_file');
