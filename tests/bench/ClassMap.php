<?php

declare(strict_types=1);

namespace RedisRateLimit\Bench;

/** What an application loads, found as fast as by an optimized autoloader of Composer's: a production server has one. */
final class ClassMap
{
    /** PHP code that appends to a file the name of every class looked for from then on. */
    public static function recorder(string $file): string
    {
        return sprintf(
            'spl_autoload_register(static fn (string $class) => file_put_contents(%s, "$class\n", FILE_APPEND), prepend: true);',
            var_export($file, true),
        );
    }

    /** Loads into this process what a recorder has written down, but for what is not there. */
    public static function load(string $file): void
    {
        foreach (array_unique(file($file, FILE_IGNORE_NEW_LINES)) as $class) {
            class_exists($class);
        }
    }

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
