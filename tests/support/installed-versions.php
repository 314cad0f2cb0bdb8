<?php

/** Stands in for what Composer would know: Symfony 6.4 and later ask it which packages are there. */

declare(strict_types=1);

namespace Composer;

if (!class_exists(InstalledVersions::class)) {
    final class InstalledVersions
    {
        /** Symfony then looks for the classes themselves. */
        public static function isInstalled(string $package, bool $includeDevRequirements = true): bool
        {
            return false;
        }

        /** @return array{name: string, install_path: string} */
        public static function getRootPackage(): array
        {
            return ['name' => 'redis-rate-limit/ratelimit', 'install_path' => dirname(__DIR__, 2)];
        }

        /** @return list<string> */
        public static function getInstalledPackages(): array
        {
            return [];
        }

        public static function getVersion(string $package): ?string
        {
            return null;
        }

        public static function getPrettyVersion(string $package): ?string
        {
            return null;
        }
    }
}
