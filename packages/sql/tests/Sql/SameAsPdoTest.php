<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\LockedImages;
use Larder\Sql\Tracker\OneWriterImages;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\Writes;
use Larder\Tests\Support\Sql\Choices;
use Larder\Tests\Support\Sql\PdoTwin;
use Larder\Tests\Support\Sql\RandomTable;
use Larder\Tests\Support\Sql\Schema;
use Larder\Tests\Support\Sql\SqliteWords;
use Larder\Tests\Support\Sql\TwinConnections;
use Larder\Tests\Support\Sql\WriteMaker;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;

/**
 * The same generated statements on a plain PDO and on a RecordingPdo: they answer and leave the same, and each row that
 * has changed was named, as it was and as it is.
 */
#[CoversClass(RecordingPdo::class)]
#[CoversClass(Writes::class)]
#[CoversClass(LockedImages::class)]
#[CoversClass(OneWriterImages::class)]
final class SameAsPdoTest extends TestCase
{
    private const TABLES = ['item', 'part'];

    private const TRANSACTIONS = 150;

    private const ITEM = 'CREATE TABLE item (id INTEGER PRIMARY KEY, a TEXT, b TEXT COLLATE NOCASE, c INT,'
        . ' d TEXT UNIQUE)';

    private const PART = 'CREATE TABLE part (id INTEGER PRIMARY KEY, a INTEGER, b TEXT';

    /** @return iterable<string, array{list<string>}> */
    public static function schemas(): iterable
    {
        yield 'plain' => [[self::ITEM, self::PART . ')']];
        foreach (['CASCADE', 'SET NULL', 'RESTRICT', 'SET DEFAULT'] as $action) {
            yield "ON DELETE $action" => [[
                self::ITEM,
                self::PART . ", FOREIGN KEY (a) REFERENCES item (id) ON DELETE $action ON UPDATE $action)",
            ]];
        }
        yield 'a trigger into the other table' => [[
            self::ITEM,
            self::PART . ')',
            "CREATE TRIGGER a AFTER UPDATE ON item BEGIN UPDATE part SET b = NEW.a WHERE a = NEW.id; END",
        ]];
        yield 'triggers into its own' => [[
            self::ITEM,
            self::PART . ')',
            "CREATE TRIGGER a AFTER INSERT ON item BEGIN UPDATE item SET c = 1 WHERE id < NEW.id; END",
            "CREATE TRIGGER b BEFORE UPDATE OF a ON item BEGIN UPDATE item SET b = NEW.a; END",
            "CREATE TRIGGER c BEFORE DELETE ON part WHEN OLD.b = 'a' BEGIN SELECT RAISE(IGNORE); END",
        ]];
        yield 'a trigger that stops' => [[
            self::ITEM,
            self::PART . ')',
            "CREATE TRIGGER a BEFORE UPDATE ON item WHEN OLD.c > 2 BEGIN SELECT RAISE(FAIL, 'no'); END",
            "CREATE TRIGGER b BEFORE DELETE ON item WHEN OLD.c > 3 BEGIN SELECT RAISE(ROLLBACK, 'no'); END",
        ]];
        yield 'constraints that replace' => [[
            str_replace('UNIQUE', 'UNIQUE ON CONFLICT REPLACE', self::ITEM),
            self::PART . ', UNIQUE (a, b) ON CONFLICT FAIL)',
        ]];
        yield 'other keys' => [[
            str_replace('INTEGER PRIMARY KEY', 'INT PRIMARY KEY', self::ITEM),
            self::PART . ') WITHOUT ROWID',
        ]];
        yield 'other unique constraints' => [[
            str_replace('INTEGER PRIMARY KEY', 'INTEGER NOT NULL', self::ITEM),
            self::PART . ", note TEXT NOT NULL DEFAULT 'a', UNIQUE (a, b))",
            'CREATE UNIQUE INDEX a ON item (id)',
            'CREATE UNIQUE INDEX b ON item (d COLLATE NOCASE, b) WHERE c > 2',
        ]];
        yield 'generated columns' => [[
            str_replace('a TEXT', "a TEXT AS (CASE WHEN c > 2 THEN 'b' ELSE 'a' END)", self::ITEM),
            self::PART . ')',
        ]];
    }

    /** @param list<string> $schema */
    #[DataProvider('schemas')]
    public function testAnswersNamesAndWhatIsLeft(array $schema): void
    {
        $registry = new Registry(
            new Table('item', 'id', [
                'id' => ColumnType::Integer,
                'a' => ColumnType::Text,
                'b' => ColumnType::TextNoCase,
                'c' => ColumnType::Integer,
            ], [['a'], ['b'], ['a', 'c']]),
            new Table('part', 'id', ['id' => ColumnType::Integer, 'a' => ColumnType::Integer], [['a']]),
        );
        $ours = new RecordingPdo('sqlite::memory:', $registry, logger: new NullLogger());
        $plain = new PDO('sqlite::memory:');
        foreach ([...$schema, 'PRAGMA foreign_keys = ON', 'CREATE TABLE larder_ledger (one)'] as $sql) {
            $ours->exec($sql);
            $plain->exec($sql);
        }
        $tables = [];
        foreach ($schema as $sql) {
            if (preg_match('/^CREATE TABLE (\w+) \((.*)\)( WITHOUT ROWID)?$/', $sql, $found) === 1) {
                $tables[] = RandomTable::of($found[1], $found[2], !isset($found[3]));
            }
        }
        self::assertCount(2, $tables);
        $twins = new TwinConnections(new PdoTwin($plain), new PdoTwin($ours), $ours, self::TABLES);
        $twins->play(new WriteMaker(
            new Choices(crc32(implode('', $schema))),
            new SqliteWords(),
            new Schema($tables, $schema, []),
            changesSchema: false,
        ), self::TRANSACTIONS);
        self::assertGreaterThan(5, $twins->exact, 'Most of it is followed row by row.');
    }
}
