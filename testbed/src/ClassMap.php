<?php

declare(strict_types=1);

namespace Larder\Testbed;

use FilesystemIterator;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;

/**
 * An autoloader for a site that is measured, as `composer dump-autoload --classmap-authoritative` leaves it in
 * production: it looks for no file.
 */
final readonly class ClassMap
{
    private const LOADER = <<<'PHP'
        <?php
        require_once %s;
        $loader = new Composer\Autoload\ClassLoader(__DIR__);
        $loader->addClassMap(require %s);
        $loader->setClassMapAuthoritative(true);
        $loader->register(true); // before that of a program that has loaded the site
        foreach (%s as $file) {
            require_once $file;
        }

        return $loader;
        PHP;

    /**
     * Of all packages but those that only development requires.
     *
     * @param string                $directory gets autoload.php and classes.php
     * @param string                $vendor    Composer's directory
     * @param array<string, string> $roots     directories in place of the packages' own, by the prefix of their classes
     */
    public static function ofPackages(string $directory, string $vendor, array $roots = []): void
    {
        /** @var array{packages: list<array{name: string, install-path: string, autoload?: array{psr-4?: array<string,
         *     string|list<string>>, files?: list<string>}}>, dev-package-names: list<string>} $installed */
        $installed = json_decode(
            (string) file_get_contents($vendor . '/composer/installed.json'),
            true,
            flags: JSON_THROW_ON_ERROR,
        );
        $places = [(string) realpath($vendor . '/composer')];
        $files = $own = [];
        foreach ($installed['packages'] as $package) {
            if (\in_array($package['name'], $installed['dev-package-names'], true)) {
                continue;
            }
            $places[] = $place = (string) realpath($vendor . '/composer/' . $package['install-path']);
            foreach ($package['autoload']['psr-4'] ?? [] as $prefix => $below) {
                foreach (isset($roots[$prefix]) ? [] : (array) $below as $directoryBelow) {
                    $own[] = [$prefix, $place . '/' . $directoryBelow];
                }
            }
            foreach ($package['autoload']['files'] ?? [] as $file) {
                $files[] = $place . '/' . $file;
            }
        }
        $classes = [];
        /** @var array<string, string> $mapped */
        $mapped = require $vendor . '/composer/autoload_classmap.php';
        foreach ($mapped as $class => $file) {
            $file = (string) realpath($file);
            foreach ($places as $place) {
                $classes += str_starts_with($file, $place . '/') ? [$class => $file] : [];
            }
        }
        foreach ($roots as $prefix => $root) {
            $own[] = [$prefix, $root];
        }
        self::put($directory, $vendor, $own, $classes, $files);
    }

    /**
     * @param string                $directory of the site; gets autoload.php and classes.php
     * @param string                $vendor    Composer's directory
     * @param string                $packages  directory that holds the packages of the Larder that is measured
     * @param array<string, string> $classes   files of the site's own classes, by name
     */
    public static function write(string $directory, string $vendor, string $packages, array $classes = []): void
    {
        self::put($directory, $vendor, [
            ...self::roots($packages),
            ['Psr\\Log\\', $vendor . '/psr/log/src'],
            ['Psr\\Clock\\', $vendor . '/psr/clock/src'],
        ], $classes, []);
    }

    /** @return list<array{string, string}> prefixes of classes, and their directories, as the packages say */
    private static function roots(string $packages): array
    {
        $roots = [];
        foreach ((array) glob($packages . '/{cache,sql,pages,rows,code,console}/composer.json', \GLOB_BRACE) as $file) {
            /** @var array{autoload: array{psr-4: array<string, string>}} $package */
            $package = json_decode((string) file_get_contents((string) $file), true, flags: JSON_THROW_ON_ERROR);
            foreach ($package['autoload']['psr-4'] as $prefix => $directory) {
                $roots[] = [$prefix, \dirname((string) $file) . '/' . $directory];
            }
        }

        return $roots;
    }

    /**
     * @param list<array{string, string}> $roots prefixes of classes, and their directories
     * @param array<string, string> $classes files of others
     * @param list<string>          $files   that are loaded at once
     */
    private static function put(string $directory, string $vendor, array $roots, array $classes, array $files): void
    {
        foreach ($roots as [$prefix, $root]) {
            $root = (string) realpath($root);
            $found = new RecursiveIteratorIterator(
                new RecursiveDirectoryIterator(
                    $root,
                    FilesystemIterator::SKIP_DOTS | FilesystemIterator::CURRENT_AS_PATHNAME,
                ),
            );
            foreach ($found as $file) {
                $file = \is_string($file) ? $file : '';
                $classes[$prefix . strtr(substr($file, \strlen($root) + 1, -4), '/', '\\')] = $file;
            }
        }
        file_put_contents($directory . '/classes.php', '<?php return ' . var_export($classes, true) . ';');
        file_put_contents($directory . '/autoload.php', \sprintf(
            self::LOADER,
            var_export(realpath($vendor . '/composer/ClassLoader.php'), true),
            var_export($directory . '/classes.php', true),
            var_export($files, true),
        ));
    }
}
