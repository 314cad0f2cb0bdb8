<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/** What an application loads, found as fast as by an optimized autoloader of Composer's: a production server has one. */
final class ClassMap
{
    /** PHP code that finds whatever this process has loaded, and nothing else. */
    public static function ofThisProcess(): string
    {
        $classes = [];
        foreach ([...get_declared_classes(), ...get_declared_interfaces(), ...get_declared_traits()] as $class) {
            $classes[$class] = (new \ReflectionClass($class))->getFileName();
        }
        $functions = array_map(
            static fn (string $name): string => (new \ReflectionFunction($name))->getFileName(),
            get_defined_functions()['user'],
        );

        return sprintf(
            <<<'PHP'
                <?php
                spl_autoload_register(static function (string $class): void {
                    static $files = %s;
                    if (isset($files[$class])) {
                        require $files[$class];
                    }
                });
                foreach (%s as $file) {
                    require $file;
                }
                PHP,
            var_export(array_filter($classes), true),
            var_export(array_diff(array_unique($functions), [get_included_files()[0]]), true),
        );
    }
}
