<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * The modules by which nginx reads pages out of memcached.
 *
 * @internal
 */
final readonly class NginxModules
{
    /** Where Debian has them. Its packages load them in every nginx.conf that includes modules-enabled. */
    private const DIRECTORY = '/usr/lib/nginx/modules/';

    /** Debian's package by module, in the order in which nginx loads them. */
    public const PACKAGES = [
        'memc' => 'libnginx-mod-http-memc',
        'srcache_filter' => 'libnginx-mod-http-srcache-filter',
    ];

    public static function path(string $name): string
    {
        return self::DIRECTORY . "ngx_http_{$name}_module.so";
    }
}
