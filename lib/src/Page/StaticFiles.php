<?php

declare(strict_types=1);

namespace Larder\Page;

use FilesystemIterator;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

/**
 * The files of a public directory that nginx may serve, by name.
 *
 * This is a list and not a rule: a file that came after the configuration (an upload, a backup, a script) is not
 * served.
 */
final readonly class StaticFiles
{
    private const TYPES = [
        'avif' => 'image/avif',
        'css' => 'text/css; charset=utf-8',
        'gif' => 'image/gif',
        'html' => 'text/html; charset=utf-8',
        'ico' => 'image/x-icon',
        'jpeg' => 'image/jpeg',
        'jpg' => 'image/jpeg',
        'js' => 'text/javascript; charset=utf-8',
        'json' => 'application/json',
        'mjs' => 'text/javascript; charset=utf-8',
        'pdf' => 'application/pdf',
        'png' => 'image/png',
        'svg' => 'image/svg+xml', 'txt' => 'text/plain; charset=utf-8', 'webmanifest' => 'application/manifest+json',
        'webp' => 'image/webp', 'woff2' => 'font/woff2', 'xml' => 'application/xml',
    ];

    public function __construct(
        private string $directory,
    ) {}

    /** @return array<string, string> Content-Type by URI, sorted; without PHP, hidden files, links and odd names */
    public function types(): array
    {
        if (!is_dir($this->directory)) {
            return [];
        }
        $types = [];
        $entries = new RecursiveDirectoryIterator($this->directory, FilesystemIterator::SKIP_DOTS);
        foreach (new RecursiveIteratorIterator($entries) as $entry) {
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

        $isTwin = static fn(string $uri): bool => str_ends_with($uri, '.gz') && isset($types[substr($uri, 0, -3)]);

        return array_filter($types, static fn(string $uri): bool => !$isTwin($uri), ARRAY_FILTER_USE_KEY);
    }
}
