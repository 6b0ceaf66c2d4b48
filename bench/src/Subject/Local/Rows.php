<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Local;

use Larder\Bench\Subject\ConnectPerCall;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Objects;

/** Stores without a server. */
final readonly class Rows
{
    private const APCU = ['apc.enabled' => '1', 'apc.enable_cli' => '1', 'apc.shm_size' => '256M'];

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
            'tuned' => 'apc.shm_size = 256M, so that nothing is dropped',
        ];

        return [
            new Definition('apcu', 'APCu', Apcu::class, static fn(): Apcu => new Apcu(), terms: [...$apcu, 'serializer' => 'php for arrays and objects, none for strings'], extensions: ['apcu'], shared: false, ini: [...self::APCU, 'apc.serializer' => 'php']),
            new Definition('apcu+igbinary', 'APCu, igbinary', Objects::class, static fn(): Apcu => new Apcu(), terms: [...$apcu, 'serializer' => 'igbinary'], extensions: ['apcu', 'igbinary'], shared: false, ini: [...self::APCU, 'apc.serializer' => 'igbinary']),
            new Definition('file', 'Files', SafeFile::class, static fn(): SafeFile => new SafeFile(), terms: [
                'client' => 'PHP ' . PHP_VERSION,
                'protocol' => 'a file for each key, named by its hash, in 256 directories',
                'persistent' => 'does not apply: opens and closes a file for each call',
                'durability' => 'written aside and renamed, so always whole; no fsync, so a power cut may lose it',
                'compression' => 'none',
            ]),
            new Definition('sqlite', 'SQLite', Sqlite::class, static fn(): Sqlite => new Sqlite(), terms: $sqlite, extensions: ['pdo_sqlite']),
            new Definition('sqlite-connect', 'SQLite, opening each time', ConnectPerCall::class, static fn(): ConnectPerCall => new ConnectPerCall(
                static fn(): Sqlite => new Sqlite(create: false),
                static fn(): Sqlite => new Sqlite(),
            ), terms: [...$sqlite, 'persistent' => 'no: opens the file for each call', 'protocol' => 'in the process; the statement is prepared for each call'], extensions: ['pdo_sqlite']),
        ];
    }

    private static function sqlite(): string
    {
        $version = \extension_loaded('pdo_sqlite') ? (new \PDO('sqlite::memory:'))->getAttribute(\PDO::ATTR_CLIENT_VERSION) : null;

        return \is_string($version) ? $version : '(absent)';
    }
}
