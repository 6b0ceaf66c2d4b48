<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Sql;

use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Local\LocalSubjects;
use Larder\Sql\Tracker\RecordingPdo;
use PDO;

/** Rows by key, past the SQL layer or through it, and what it costs that Larder sees statements. */
final readonly class SqlSubjects
{
    /** @return list<Definition> */
    public static function subjects(): array
    {
        $extension = LocalSubjects::loaded('larder');
        $unix = 'unix sockets';
        $subjects = [];
        foreach ([
            ['text', 'SQL with the key in its text'],
            ['statement', 'a statement prepared for each'],
            ['prepared', 'a statement prepared once'],
            ['in', 'one IN, prepared once'],
            ['handler', 'HANDLER, prepared once'],
            ['handlersocket', 'HandlerSocket'],
            ['tracked', 'a statement prepared once, seen by Larder'],
        ] as [$access, $title]) {
            $subjects[] = self::row(Access::from($access), $title);
        }

        return [
            ...$subjects,
            self::row(Access::Value, 'a value of memcached, by Larder\'s client', Kind::MemcachedUnix, $extension),
            self::row(Access::Memcached, 'Larder\Row\Table, memcached', Kind::MemcachedUnix, $extension),
            self::row(Access::Memory, 'Larder\Row\Table, shared memory', ini: LocalSubjects::memory('share')),
            ...array_map(
                static fn(string $id, string $title, string $class): Definition => new Definition(
                    "connection-$id",
                    $title,
                    TrackedConnection::class,
                    static fn(): TrackedConnection => new TrackedConnection($class),
                    terms: ['client' => 'PDO'],
                ),
                ['plain', 'control', 'tracked'],
                ['PDO', 'subclasses of PDO that only call their parents', 'Larder\Sql\Tracker\RecordingPdo'],
                [PDO::class, BarePdo::class, RecordingPdo::class],
            ),
        ];
    }

    /** @param array<string, string> $ini */
    private static function row(
        Access $access,
        string $title,
        Kind $needs = Kind::None,
        array $ini = [],
    ): Definition {
        return new Definition(
            "row-$access->value",
            "Rows: $title",
            Items::class,
            static fn(): Items => new Items($access),
            $needs,
            terms: [
                'client' => 'PDO, a unix socket' . ($access === Access::HandlerSocket ? '; TCP' : ''),
                'prepared' => 'by the server: ATTR_EMULATE_PREPARES off',
            ],
            extensions: $ini === [] ? [] : ['larder'],
            shared: $access !== Access::Memory,
            ini: $ini,
        );
    }
}
