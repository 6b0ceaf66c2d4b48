<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * The files of a public directory that nginx serves. It is a rule and not a list, so that uploads need no new
 * configuration.
 *
 * @internal part of NginxConfig
 */
final readonly class StaticFiles
{
    /** PCRE for the paths of what is no file for visitors: hidden, a source of PHP, or an editor's copy of one. */
    public const NEVER = '(?i)/\.(?!well-known/)|~$|\.(?:phar|php[0-9]*|phps|pht|phtml)(?:[./_~-]|$)'
        . '|\.(?:bak|cnf|conf|dist|engine|env|inc|ini|install|lock|log|module|neon|old|orig|profile|rej|save|sh|sql'
        . '|sqlite[0-9]?|sw[op]|theme|tpl|twig)$';

    private const TYPES = [
        'application/gzip' => 'gz tgz',
        'application/json' => 'json map',
        'application/manifest+json' => 'webmanifest',
        'application/pdf' => 'pdf',
        'application/wasm' => 'wasm',
        'application/xml' => 'xml xsl',
        'application/zip' => 'zip',
        'audio/mp4' => 'm4a',
        'audio/mpeg' => 'mp3',
        'audio/ogg' => 'oga ogg opus',
        'font/otf' => 'otf',
        'font/ttf' => 'ttf',
        'font/woff' => 'woff',
        'font/woff2' => 'woff2',
        'image/avif' => 'avif',
        'image/gif' => 'gif',
        'image/jpeg' => 'jpeg jpg',
        'image/png' => 'png',
        'image/svg+xml' => 'svg',
        'image/webp' => 'webp',
        'image/x-icon' => 'ico',
        'text/css; charset=utf-8' => 'css',
        'text/csv; charset=utf-8' => 'csv',
        'text/html; charset=utf-8' => 'htm html',
        'text/javascript; charset=utf-8' => 'js mjs',
        'text/plain; charset=utf-8' => 'txt',
        'text/vtt; charset=utf-8' => 'vtt',
        'video/mp4' => 'm4v mp4',
        'video/webm' => 'webm',
    ];

    /** What a location for the files has, beside headers and what to do if there is no such file. */
    public static function settings(string $directory): string
    {
        $types = '';
        foreach (self::TYPES as $type => $extensions) {
            $types .= '    ' . NginxText::literal($type) . " {$extensions};\n";
        }

        return "root {$directory};\n"
            . "types {\n{$types}}\ndefault_type application/octet-stream;\n"
            . "disable_symlinks off;\n"
            . "log_not_found off;\n"
            . "etag on;\nif_modified_since exact;\nexpires off;\nssi off;\ncharset off;\n"
            . "gzip_static on;\ngzip_vary off;\ngzip_proxied any;\ngzip_http_version 1.0;\ngzip off;\n"
            . "add_header Vary \"Accept-Encoding\";\n"
            . "add_header Cache-Control \"no-cache\";\n";
    }
}
