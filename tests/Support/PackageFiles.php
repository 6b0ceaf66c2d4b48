<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use FilesystemIterator;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

/** The PHP files of packages, by the class that PSR-4 expects in each. */
final readonly class PackageFiles
{
    private const ROOT = __DIR__ . '/../..';

    /**
     * @param string                    $packages directories from the root, as a glob
     * @param 'autoload'|'autoload-dev' $kind     the package's classes, or its tests
     *
     * @return array<string, string> path by class
     */
    public static function of(string $packages = 'packages/*', string $kind = 'autoload'): array
    {
        $files = [];
        foreach ((array) glob(self::ROOT . "/$packages/composer.json") as $file) {
            /** @var array<string, array{psr-4?: array<string, string>}> $package */
            $package = json_decode((string) file_get_contents((string) $file), true, flags: JSON_THROW_ON_ERROR);
            foreach ($package[$kind]['psr-4'] ?? [] as $prefix => $below) {
                $files += self::below(\dirname((string) $file) . '/' . rtrim($below, '/'), $prefix);
            }
        }
        ksort($files);

        return $files;
    }

    /** @return array<string, string> */
    private static function below(string $directory, string $prefix): array
    {
        $files = [];
        $found = new RecursiveIteratorIterator(
            new RecursiveDirectoryIterator($directory, FilesystemIterator::SKIP_DOTS),
        );
        foreach ($found as $file) {
            if ($file instanceof SplFileInfo && $file->getExtension() === 'php') {
                $name = substr($file->getPathname(), \strlen($directory) + 1, -\strlen('.php'));
                $files[$prefix . str_replace('/', '\\', $name)] = $file->getPathname();
            }
        }

        return $files;
    }
}
