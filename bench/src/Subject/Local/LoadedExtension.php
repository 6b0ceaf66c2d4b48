<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Local;

/**
 * Where this process has an extension from, so that a process it starts has the same: `-d` is not inherited, php.ini
 * is.
 */
final readonly class LoadedExtension
{
    /** @return array{}|array{extension: string} none, if it is not loaded here or php.ini loads it anyway */
    public static function ini(string $name): array
    {
        if (!\extension_loaded($name) || self::isInPhpIni($name)) {
            return [];
        }
        $mapped = preg_match(
            '~\s(/\S.*/' . preg_quote($name, '~') . '\.so)$~m',
            (string) @file_get_contents('/proc/self/maps'),
            $match,
        );

        return $mapped === 1 ? ['extension' => $match[1]] : [];
    }

    private static function isInPhpIni(string $name): bool
    {
        $files = [(string) php_ini_loaded_file(), ...explode(',', (string) php_ini_scanned_files())];
        foreach (array_filter(array_map(trim(...), $files), is_file(...)) as $file) {
            if (preg_match(
                '~^\s*extension\s*=\s*"?(\S*/)?' . preg_quote($name, '~') . '(\.so)?"?\s*(;|$)~m',
                (string) @@file_get_contents($file),
            ) === 1) {
                return true;
            }
        }

        return false;
    }
}
