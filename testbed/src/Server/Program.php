<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/** Where a server's program is; /usr/sbin is not in every user's PATH. */
final readonly class Program
{
    public static function nginx(): string
    {
        return self::find('nginx') ?? throw ServerFailed::missing('nginx', 'nginx');
    }

    /** php-fpm of the version that runs this, so that both have the same extensions. */
    public static function phpFpm(): string
    {
        $version = PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;

        return self::find('php-fpm' . $version)
            ?? throw ServerFailed::missing('php-fpm' . $version, 'php' . $version . '-fpm');
    }

    /** A program of the newest PostgreSQL server; Debian keeps them beside each other, and in no PATH. */
    public static function postgreSql(string $name): string
    {
        $paths = glob('/usr/lib/postgresql/*/bin/' . $name);
        $paths = $paths === false ? [] : $paths;
        natsort($paths);

        return array_pop($paths) ?? self::find($name) ?? throw ServerFailed::missing($name, 'postgresql');
    }

    public static function find(string $name): ?string
    {
        foreach ([
            ...explode(':', (string) getenv('PATH')),
            '/usr/local/sbin',
            '/usr/sbin',
            '/sbin',
            '/usr/bin',
            '/bin',
        ] as $directory) {
            $path = $directory . '/' . $name;
            if (str_starts_with($path, '/') && is_file($path) && is_executable($path)) {
                return $path;
            }
        }

        return null;
    }
}
