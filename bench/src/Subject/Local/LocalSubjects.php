<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Local;

use Larder\Bench\Result\Role;
use Larder\Bench\Subject\ConnectPerCall;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Subject\Objects;

/** Stores without a server. */
final readonly class LocalSubjects
{
    private const SIZE = '256M';
    private const APCU = ['apc.enabled' => '1', 'apc.enable_cli' => '1', 'apc.shm_size' => self::SIZE];

    /** @return list<Definition> */
    public static function all(): array
    {
        $sqlite = [
            'client' => 'PDO, SQLite ' . self::sqlite(),
            'protocol' => 'in the process; statements prepared once',
            'persistent' => 'yes',
            'durability' => 'WAL, synchronous = NORMAL: a power cut may lose the last writes',
            'time-outs' => 'busy: that of the bench (5 s)',
        ];
        $apcu = [
            'client' => 'APCu ' . (phpversion('apcu') === false ? '(absent)' : phpversion('apcu')),
            'protocol' => 'memory that forked workers share',
            'compression' => 'none',
            'tuned' => 'apc.shm_size = ' . self::SIZE . ', so that nothing is dropped',
        ];

        return [
            new Definition(
                'apcu',
                'APCu',
                Apcu::class,
                static fn(): Apcu => new Apcu(),
                terms: [...$apcu, 'serializer' => 'php for arrays and objects, none for strings'],
                extensions: ['apcu'],
                shared: false,
                ini: [...self::APCU, 'apc.serializer' => 'php'],
            ),
            self::apcu('default', [...$apcu, 'serializer' => 'none: arrays are copied as they are, objects by PHP\'s']),
            self::apcu('igbinary', [...$apcu, 'serializer' => 'igbinary']),
            self::shared('shared-memory', 'Shared memory', 'share'),
            self::shared('shared-memory-copy', 'Shared memory, copying', 'copy'),
            self::included(),
            new Definition('file', 'Files', SafeFile::class, static fn(): SafeFile => new SafeFile(), terms: [
                'client' => 'PHP ' . PHP_VERSION,
                'protocol' => 'a file for each key, named by its hash, in 256 directories',
                'persistent' => 'does not apply: opens and closes a file for each call',
                'durability' => 'written aside and renamed, so always whole; no fsync, so a power cut may lose it',
                'compression' => 'none',
            ]),
            new Definition(
                'sqlite',
                'SQLite',
                Sqlite::class,
                static fn(): Sqlite => new Sqlite(),
                terms: $sqlite,
                extensions: ['pdo_sqlite'],
            ),
            new Definition(
                'sqlite-connect',
                'SQLite, opening each time',
                ConnectPerCall::class,
                static fn(): ConnectPerCall => new ConnectPerCall(
                    static fn(): Sqlite => new Sqlite(create: false),
                    static fn(): Sqlite => new Sqlite(),
                ),
                terms: [
                    ...$sqlite,
                    'persistent' => 'no: opens the file for each call',
                    'protocol' => 'in the process; the statement is prepared for each call',
                ],
                extensions: ['pdo_sqlite'],
            ),
        ];
    }

    /**
     * For objects only: strings are not serialized.
     *
     * @param array<string, string> $terms
     */
    private static function apcu(string $serializer, array $terms): Definition
    {
        return new Definition(
            'apcu+' . $serializer,
            'APCu, ' . $serializer,
            Apcu::class,
            static fn(): Apcu => new Apcu(),
            terms: $terms,
            extensions: $serializer === 'default' ? ['apcu'] : ['apcu', $serializer],
            shared: false,
            ini: [...self::APCU, 'apc.serializer' => $serializer],
            only: [MemoryReporting::class, Objects::class],
        );
    }

    private static function included(): Definition
    {
        return new Definition(
            'include',
            'A PHP file, included',
            IncludedFile::class,
            static fn(): IncludedFile => new IncludedFile(),
            role: Role::Ceiling,
            terms: [
                'client' => 'PHP ' . PHP_VERSION,
                'protocol' => 'include of a file that returns the value, compiled by opcache',
                'tuned' => 'opcache.validate_timestamps = 0: files are never looked at again',
                'compression' => 'none',
                'serializer' => 'var_export',
            ],
            extensions: ['Zend OPcache'],
            shared: false,
            ini: [
                'opcache.enable_cli' => '1',
                'opcache.validate_timestamps' => '0',
                'opcache.file_update_protection' => '0',
            ],
        );
    }

    /**
     * The extension comes from where this process has it from: a window's own would lack what `php -d extension=`
     * loaded here.
     */
    private static function shared(string $id, string $title, string $mode): Definition
    {
        return new Definition($id, $title, SharedMemory::class, static fn(): SharedMemory => new SharedMemory(
            $mode,
        ), terms: [
            'client' => 'Larder\SharedMemory ' . (phpversion('larder') === false ? '(absent)' : phpversion('larder')),
            'protocol' => $mode === 'share'
                ? 'memory that forked workers share; arrays are handed out as they lie there'
                : 'memory that forked workers share; values are copied, as in every CLI process',
            'compression' => 'none',
            'serializer' => 'none; php for objects',
            'tuned' => 'larder.size = ' . self::SIZE . ', so that nothing is dropped',
        ], extensions: ['larder'], shared: false, ini: self::memory($mode));
    }

    /** @return array<string, string> php.ini values of a process that has its own segment */
    public static function memory(string $mode): array
    {
        return [
            ...self::loaded('larder'),
            'larder.name' => '',
            'larder.size' => self::SIZE,
            'larder.share' => $mode === 'share' ? '1' : '0',
        ];
    }

    private static function sqlite(): string
    {
        $version = \extension_loaded('pdo_sqlite')
            ? (new \PDO('sqlite::memory:'))->getAttribute(\PDO::ATTR_CLIENT_VERSION)
            : null;

        return \is_string($version) ? $version : '(absent)';
    }

    /**
     * Where this process has an extension from, so that a process it starts has the same: `-d` is not inherited,
     * php.ini is.
     *
     * @return array{}|array{extension: string} none, if it is not loaded here or php.ini loads it anyway
     */
    public static function loaded(string $name): array
    {
        $file = self::isInPhpIni($name) ? '' : self::file($name);

        return $file === '' ? [] : ['extension' => $file];
    }

    /** The file of this name in the directory that this process has an extension from; without that, as it would be. */
    public static function beside(string $extension, string $file): string
    {
        $loaded = self::file($extension);

        return ($loaded === '' ? '(beside ' . $extension . '.so)' : \dirname($loaded)) . '/' . $file;
    }

    /** @return string what this process has an extension from; empty: it is not loaded, or is built in */
    private static function file(string $extension): string
    {
        $mapped = \extension_loaded($extension) && preg_match(
            '~\s(/\S.*/' . preg_quote($extension, '~') . '\.so)$~m',
            (string) @file_get_contents('/proc/self/maps'),
            $match,
        ) === 1;

        return $mapped ? $match[1] : '';
    }

    private static function isInPhpIni(string $name): bool
    {
        $files = [(string) php_ini_loaded_file(), ...explode(',', (string) php_ini_scanned_files())];
        foreach (array_filter(array_map(trim(...), $files), is_file(...)) as $file) {
            if (preg_match(
                '~^\s*extension\s*=\s*"?(\S*/)?' . preg_quote($name, '~') . '(\.so)?"?\s*(;|$)~m',
                (string) @file_get_contents($file),
            ) === 1) {
                return true;
            }
        }

        return false;
    }
}
