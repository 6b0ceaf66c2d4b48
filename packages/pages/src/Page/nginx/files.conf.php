<?php declare(strict_types=1) ?>
<?php
/**
 * The files of the public directory. It is a rule and not a list, so that uploads need no new configuration.
 *
 * @var Larder\Page\NginxTemplates $this
 */
?>
# Files that no page stands in front of. What else a visitor asks for is PHP's.
location @<?= $this->name ?>_files {
    root <?= $this->target->public ?>;
    types {
        "application/gzip" gz tgz;
        "application/json" json map;
        "application/manifest+json" webmanifest;
        "application/pdf" pdf;
        "application/wasm" wasm;
        "application/xml" xml xsl;
        "application/zip" zip;
        "audio/mp4" m4a;
        "audio/mpeg" mp3;
        "audio/ogg" oga ogg opus;
        "font/otf" otf;
        "font/ttf" ttf;
        "font/woff" woff;
        "font/woff2" woff2;
        "image/avif" avif;
        "image/gif" gif;
        "image/jpeg" jpeg jpg;
        "image/png" png;
        "image/svg+xml" svg;
        "image/webp" webp;
        "image/x-icon" ico;
        "text/css; charset=utf-8" css;
        "text/csv; charset=utf-8" csv;
        "text/html; charset=utf-8" htm html;
        "text/javascript; charset=utf-8" js mjs;
        "text/plain; charset=utf-8" txt;
        "text/vtt; charset=utf-8" vtt;
        "video/mp4" m4v mp4;
        "video/webm" webm;
    }
    default_type application/octet-stream;
    disable_symlinks off;
    log_not_found off;
    etag on;
    if_modified_since exact;
    expires off;
    ssi off;
    charset off;
    gzip_static on;
    gzip_vary off;
    gzip_proxied any;
    gzip_http_version 1.0;
    gzip off;
    add_header Vary "Accept-Encoding";
    add_header Cache-Control "no-cache";
    <?php $this->headers('') ?>
    recursive_error_pages on;
    error_page 403 404 405 = $<?= $this->name ?>_php;
    try_files $<?= $this->name ?>_file $<?= $this->name ?>_php;
}
