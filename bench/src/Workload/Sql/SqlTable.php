<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Sql;

use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Local\LocalSubjects;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Test;
use Larder\Dependency\RecordingPdo;
use PDO;

/** Rows by key, past the SQL layer or through it, and what it costs that Larder sees statements. */
final readonly class SqlTable
{
    /** @return list<Test> */
    public static function tests(): array
    {
        $databases = Test::each('database', ['mariadb', 'postgresql'], ['workers' => 1]);
        $rows = static fn(
            string $name,
            string $title,
            string $work,
            string $unit,
            RowQuery $query,
            string $subjects,
        ): Test => new Test(
            $name,
            $title,
            $work,
            $unit,
            new InProcess($query),
            explode(' ', $subjects),
            full: $databases,
        );
        $conditions = [];
        foreach (['unrecorded', 'known', 'literals', 'new', 'update'] as $statement) {
            foreach (['sqlite', 'mariadb', 'postgresql'] as $database) {
                $conditions[] = ['statement' => $statement, 'database' => $database, 'workers' => 1];
            }
        }

        return [
            $rows(
                'row_get',
                'Rows: one',
                'one of 25,000 rows of 500 bytes by its key',
                'rows',
                new RowQuery('one'),
                'row-text row-prepared row-handler row-handlersocket row-value row-memcached row-memory',
            ),
            $rows(
                'row_get_many',
                'Rows: fifty',
                'fifty of 25,000 rows by their keys',
                'calls',
                new RowQuery('many'),
                'row-prepared row-in row-memcached row-memory',
            ),
            $rows(
                'row_miss',
                'Rows: a miss',
                'one of 25,000 rows that the store does not have',
                'rows',
                new RowQuery('miss'),
                'row-prepared row-statement row-text row-memcached row-memory',
            ),
            $rows(
                'row_update',
                'Rows: an UPDATE',
                'an UPDATE of a row by its key; every 65th is read back',
                'rows',
                new RowQuery('update'),
                'row-prepared row-tracked row-memcached row-memory',
            ),
            new Test(
                'statement',
                title: 'Tracked connections',
                work: 'a SELECT by key in a render or not, or an UPDATE, by a connection that Larder sees or not',
                unit: 'statements',
                workload: new InProcess(new TrackedStatements()),
                subjects: ['connection-plain', 'connection-control', 'connection-tracked'],
                full: $conditions,
            ),
        ];
    }

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
                ['PDO', 'subclasses of PDO that only call their parents', 'Larder\Dependency\RecordingPdo'],
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
