<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use PHPUnit\Framework\Assert;

/** What is read of views, on each database. */
final readonly class Views
{
    public const TABLES = [
        'CREATE TABLE news (id INTEGER NOT NULL PRIMARY KEY, category VARCHAR(20))',
        'CREATE TABLE comment (id INTEGER NOT NULL PRIMARY KEY, news_id INTEGER)',
    ];

    /** @return iterable<string, array{list<string>, string, list<string>|null}> DDL, query, names; null: not stored */
    public static function all(): iterable
    {
        $latest = 'CREATE VIEW latest AS SELECT id, category FROM news WHERE category = \'net\'';
        $whole = ['news', 'news!'];
        yield 'a view' => [[$latest], 'SELECT * FROM latest WHERE id = 4', $whole];
        yield 'another name of it' => [[$latest], 'SELECT x.id FROM latest x', $whole];
        yield 'a view beside a table' => [
            [$latest],
            'SELECT c.id FROM latest l JOIN comment c ON c.news_id = l.id WHERE c.id = 4 AND l.id = 4',
            ['comment!', 'comment:4', ...$whole],
        ];
        yield 'a view with names of its own' => [
            ['CREATE VIEW latest (a, b) AS SELECT id, category FROM news'],
            'SELECT a FROM latest',
            $whole,
        ];
        yield 'a join in it' => [
            ['CREATE VIEW latest AS SELECT n.id FROM news n LEFT JOIN comment c ON c.news_id = n.id'
                . ' WHERE EXISTS (SELECT 1 FROM comment d WHERE d.id = 4 AND d.news_id = n.id)'],
            'SELECT * FROM latest',
            ['comment', 'comment!', ...$whole],
        ];
        yield 'a compound with a common table' => [
            ['CREATE VIEW latest AS WITH c AS (SELECT id FROM comment) SELECT id FROM c UNION SELECT id FROM news'],
            'SELECT * FROM latest',
            ['comment', 'comment!', ...$whole],
        ];
        yield 'a view of a view' => [
            [$latest, 'CREATE VIEW top AS SELECT max(id) AS id FROM latest GROUP BY category'],
            'SELECT * FROM top',
            $whole,
        ];
        yield 'in a subquery' => [
            [$latest],
            'SELECT id FROM comment WHERE id IN (SELECT id FROM latest)',
            ['comment', 'comment!', ...$whole],
        ];
        yield 'no table' => [['CREATE VIEW latest AS SELECT 1 AS id'], 'SELECT * FROM latest', []];
        $clock = 'CREATE VIEW clock AS SELECT id, CURRENT_TIMESTAMP AS at FROM news';
        yield 'the clock' => [[$clock], 'SELECT id FROM clock', null];
        yield 'the clock in a view of it' => [
            [$clock, 'CREATE VIEW top AS SELECT id FROM clock'],
            'SELECT * FROM top',
            null,
        ];
        yield 'no view' => [[], 'SELECT * FROM latest', null];
    }

    /** @param list<string>|null $names */
    public static function check(RecordingPdo $database, string $sql, ?array $names): void
    {
        $reads = new RecordedReads($database->registry());
        $database->tracker()->record($reads, static function () use ($database, $sql, $names): void {
            try {
                $database->query($sql);
            } catch (\PDOException $exception) {
                Assert::assertNull($names, $exception->getMessage());
            }
        });
        Assert::assertSame($names === null, $reads->refusal() !== null, (string) $reads->refusal());
        Assert::assertSame($names ?? $reads->names(), $reads->names());
        Assert::assertNull($reads->clock());
    }
}
