<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use Larder\Follow\Follower;
use Larder\Follow\Gathered;
use Larder\Follow\PostgreSql\LogicalSlot;
use Larder\Testbed\Server\DatabaseKind;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

#[CoversClass(Follower::class)]
#[CoversClass(Gathered::class)]
#[CoversClass(LogicalSlot::class)]
#[RequiresPhpExtension('pdo_pgsql')]
final class PostgreSqlTrapsTest extends TrapsCase
{
    protected static function kind(): DatabaseKind
    {
        return DatabaseKind::PostgreSql;
    }

    public static function changes(): iterable
    {
        yield 'a key changes' => [['UPDATE news SET id = 14 WHERE id = 4']];
        yield 'a key changes, and another row takes it' => [[
            'UPDATE news SET id = 14 WHERE id = 4',
            'UPDATE news SET id = 4 WHERE id = 5',
        ]];
        yield 'INSERT … ON CONFLICT DO UPDATE' => [[
            "INSERT INTO news VALUES (4, 'x', 1, 'x') ON CONFLICT (id) DO UPDATE SET slug = 'new', category = 8",
        ]];
        yield 'unique keys are swapped in one statement' => [[
            'ALTER TABLE news DROP CONSTRAINT news_slug_key, ADD UNIQUE (slug) DEFERRABLE',
            "UPDATE news SET slug = CASE id WHEN 4 THEN 'five' ELSE 'four' END WHERE id IN (4, 5)",
        ]];
        yield 'TRUNCATE' => [['TRUNCATE news']];
        yield 'a column is dropped' => [['ALTER TABLE news DROP COLUMN title']];
        yield 'a column is renamed' => [['ALTER TABLE news RENAME title TO headline']];
        yield 'columns swap their names behind an edit' => [[
            "UPDATE news SET title = 'new', slug = 'other' WHERE id = 4",
            'ALTER TABLE news RENAME slug TO s',
            'ALTER TABLE news RENAME title TO slug',
            'ALTER TABLE news RENAME s TO title',
            'ALTER TABLE news ADD UNIQUE (slug)',
        ]];
        yield 'another table takes the name' => [[
            'CREATE TABLE prepared (LIKE news INCLUDING ALL)',
            "INSERT INTO prepared VALUES (4, 'new', 8, 'New')",
            'BEGIN',
            'ALTER TABLE news RENAME TO gone',
            'ALTER TABLE prepared RENAME TO news',
            'COMMIT',
            'DROP TABLE gone',
        ]];
        yield 'savepoints' => [[
            'BEGIN',
            "UPDATE news SET title = 'New' WHERE id = 4",
            'SAVEPOINT one',
            "UPDATE news SET title = 'Never' WHERE id = 5",
            'ROLLBACK TO one',
            'UPDATE news SET category = 8 WHERE id = 6',
            'COMMIT',
        ]];
    }
}
