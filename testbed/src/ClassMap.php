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
        $loader = new Composer\Autoload\ClassLoader();
        $loader->addClassMap(require %s);
        $loader->setClassMapAuthoritative(true);
        $loader->register();
        PHP;

    /**
     * @param string                $directory of the site; gets autoload.php and classes.php
     * @param string                $vendor    Composer's directory
     * @param string                $lib       of the Larder that is measured
     * @param array<string, string> $classes   files of the site's own classes, by name
     */
    public static function write(string $directory, string $vendor, string $lib, array $classes = []): void
    {
        foreach ([
            'Larder\\' => $lib . '/src',
            'Psr\\Log\\' => $vendor . '/psr/log/src',
            'Psr\\Clock\\' => $vendor . '/psr/clock/src',
        ] as $prefix => $root) {
            $root = (string) realpath($root);
            $files = new RecursiveIteratorIterator(
                new RecursiveDirectoryIterator(
                    $root,
                    FilesystemIterator::SKIP_DOTS | FilesystemIterator::CURRENT_AS_PATHNAME,
                ),
            );
            foreach ($files as $file) {
                $file = \is_string($file) ? $file : '';
                $classes[$prefix . strtr(substr($file, \strlen($root) + 1, -4), '/', '\\')] = $file;
            }
        }
        file_put_contents($directory . '/classes.php', '<?php return ' . var_export($classes, true) . ';');
        file_put_contents($directory . '/autoload.php', \sprintf(
            self::LOADER,
            var_export(realpath($vendor . '/composer/ClassLoader.php'), true),
            var_export($directory . '/classes.php', true),
        ));
    }
}
