<?php

declare(strict_types=1);

namespace Larder\Tests\Install;

use Composer\InstalledVersions;

/** What is installed here as repositories of Composer, so that a test needs no network. */
final readonly class VendorPackages
{
    /** @return list<array<string, mixed>> */
    public static function repositories(): array
    {
        $repositories = [];
        foreach (InstalledVersions::getInstalledPackages() as $name) {
            $path = InstalledVersions::getInstallPath($name);
            if ($path !== null && is_file($path . '/composer.json') && !str_starts_with($name, 'larder/')) {
                $repositories[] = ['type' => 'path', 'url' => (string) realpath($path), 'options' => [
                    'symlink' => false,
                    'versions' => [$name => InstalledVersions::getPrettyVersion($name)],
                ]];
            }
        }

        return $repositories;
    }
}
