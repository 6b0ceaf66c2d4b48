<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use FilesystemIterator;
use Larder\Page\FilePageStore;
use Larder\Page\NginxTemplates;
use Larder\Page\Parts;
use PHPUnit\Framework\Attributes\CoversClass;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

#[CoversClass(FilePageStore::class)]
#[CoversClass(NginxTemplates::class)]
#[CoversClass(Parts::class)]
final class NeverStoredPartsInFilesTest extends NeverStoredPartsCase
{
    protected static function startStore(string $directory): array
    {
        return [];
    }

    protected static function stopStore(): void {}

    /** Pages of all releases, drafts and held names: whatever could reach a visitor now or later. */
    protected static function stored(): array
    {
        clearstatcache();
        $found = [];
        $root = self::$site->pages;
        foreach (['r', 'draft', 'hold'] as $place) {
            if (!is_dir("$root/$place")) {
                continue;
            }
            $files = new RecursiveIteratorIterator(
                new RecursiveDirectoryIterator("$root/$place", FilesystemIterator::SKIP_DOTS),
            );
            foreach ($files as $file) {
                if ($file instanceof SplFileInfo && $file->isFile()) {
                    $path = substr($file->getPathname(), \strlen($root));
                    $key = (string) preg_replace('~^/r/[^/]+|\~page(?:\.gz)?$~', '', $path);
                    $text = (string) file_get_contents($file->getPathname());
                    $found[$key] = str_ends_with($path, '.gz') ? (string) gzdecode($text) : $text;
                }
            }
        }
        ksort($found);

        return $found;
    }
}
