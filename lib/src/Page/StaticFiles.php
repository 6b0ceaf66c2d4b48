<?php

declare(strict_types=1);

namespace Larder\Page;

use FilesystemIterator;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

/**
 * The files of a public directory that may be served as they are, by name.
 *
 * A list rather than a rule: what was not there when the configuration was made (an upload, a backup, a script) is not served.
 */
final readonly class StaticFiles
{
    private const TYPES = [
        'avif' => 'image/avif', 'css' => 'text/css; charset=utf-8', 'gif' => 'image/gif', 'html' => 'text/html; charset=utf-8',
        'ico' => 'image/x-icon', 'jpeg' => 'image/jpeg', 'jpg' => 'image/jpeg', 'js' => 'text/javascript; charset=utf-8',
        'json' => 'application/json', 'mjs' => 'text/javascript; charset=utf-8', 'pdf' => 'application/pdf', 'png' => 'image/png',
        'svg' => 'image/svg+xml', 'txt' => 'text/plain; charset=utf-8', 'webmanifest' => 'application/manifest+json',
        'webp' => 'image/webp', 'woff2' => 'font/woff2', 'xml' => 'application/xml',
    ];

    public function __construct(
        private string $directory,
    ) {}

    /** @return array<string, string> URI to Content-Type, in order of the URI; no PHP, hidden file, link or name that is no canonical path */
    public function types(): array
    {
        if (!is_dir($this->directory)) {
            return [];
        }
        $types = [];
        $entries = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($this->directory, FilesystemIterator::SKIP_DOTS));
        foreach ($entries as $entry) {
            if (!$entry instanceof SplFileInfo || !$entry->isFile() || $entry->isLink()) {
                continue;
            }
            $uri = substr($entry->getPathname(), \strlen($this->directory));
            $extension = strtolower($entry->getExtension());
            if (PagePath::isCanonical($uri) && preg_match('/^(?:php\d*|phtml|phar|inc)$/D', $extension) !== 1) {
                $types[$uri] = self::TYPES[$extension] ?? 'application/octet-stream';
            }
        }
        ksort($types, SORT_STRING);

        return array_filter($types, static fn(string $uri): bool => !str_ends_with($uri, '.gz') || !isset($types[substr($uri, 0, -3)]), ARRAY_FILTER_USE_KEY);
    }
}
