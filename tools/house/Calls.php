<?php

declare(strict_types=1);

namespace Larder\Tools\House;

/** What the copy of the library tells of itself. It is loaded in the process that is counted, and by no other. */
final class Calls
{
    public static int $count = 0;

    /** @var array<string, string> file by class */
    private static array $classes = [];

    public static function one(): null
    {
        ++self::$count;

        return null;
    }

    /**
     * @param array<string, string> $classes  file by class
     * @param string                $composer the autoloader of what is not Larder's
     */
    public static function load(array $classes, string $composer): void
    {
        if (self::$classes !== []) {
            return;
        }
        self::$classes = $classes;
        require_once $composer;
        spl_autoload_register(static function (string $class): void {
            if (isset(self::$classes[$class])) {
                require self::$classes[$class];
            }
        }, prepend: true);
    }

    /** @return list<string> Larder's files that this process has read */
    public static function files(): array
    {
        return array_values(array_intersect(get_included_files(), self::$classes));
    }

    /** @return list<string> Larder's classes, interfaces and enums that are loaded */
    public static function classes(): array
    {
        $loaded = [...get_declared_classes(), ...get_declared_interfaces(), ...get_declared_traits()];

        return array_values(array_intersect($loaded, array_keys(self::$classes)));
    }
}
