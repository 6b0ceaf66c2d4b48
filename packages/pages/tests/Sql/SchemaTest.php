<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Sql\Reading\Lexer;
use Larder\Sql\Reading\SqliteGrammar;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Schema;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Tests\Support\NewsSite;
use PDO;
use PDOStatement;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\DataProviderExternal;
use PHPUnit\Framework\TestCase;

#[CoversClass(Schema::class)]
#[CoversClass(SqliteGrammar::class)]
#[CoversClass(Registry::class)]
#[CoversClass(Table::class)]
final class SchemaTest extends TestCase
{
    private const VALUES = [
        0, 1, -1, 5, 24, 2024, 9007199254740993, 0.0, 1.0, 1.5, -0.0, 9007199254740992.0, '', '0', '1', '-0', '+1',
        '01', '05', '5', ' 5', "5\n", '5.0', '5e0', '0x5', '1e2', 'a', 'A', 'a ', 'A ', 'Bob', 'bob', 'BOB', 'b', 'ß',
        'SS', 'ä', 'Ä', "a\0x", "a\0y", "A\0X", "\xff", "\xfe", '9007199254740993', '99999999999999999999', true, false,
    ];

    /** @return iterable<string, array{string, ColumnType|null}> declaration of a column, how it compares */
    public static function declarations(): iterable
    {
        yield from self::named([
            'INTEGER', 'INT', 'BIGINT UNSIGNED', 'TINYINT(1)', 'POINT', 'FLOATING POINT', 'CHARINT',
            'INT COLLATE NOCASE',
        ], ColumnType::Integer);
        yield from self::named([
            'TEXT', 'VARCHAR(9)', 'CLOB', 'BLOBTEXT', 'NATIVE CHARACTER(70)', 'TEXT COLLATE BINARY',
            "TEXT COLLATE 'binary'", "TEXT DEFAULT 'collate nocase'",
            'TEXT CHECK (kind <> 1 COLLATE NOCASE)', 'TEXT /* COLLATE NOCASE */',
            "TEXT DEFAULT ('a' || ',b COLLATE NOCASE')",
        ], ColumnType::Text);
        yield from self::named([
            'TEXT COLLATE NOCASE', 'TEXT NOT NULL DEFAULT (1) collate "NoCase"', "VARCHAR(9) COLLATE 'nocase'",
            'TEXT COLLATE /* , ( */ [nocase]', 'TEXT COLLATE RTRIM COLLATE NOCASE',
        ], ColumnType::TextNoCase);
        yield from self::named([
            '', 'BLOB', 'REAL', 'DOUBLE', 'FLOAT', 'NUMERIC', 'DECIMAL(8, 2)', 'STRING', 'BOOLEAN', 'DATE', 'DATETIME',
            'TEXT COLLATE RTRIM', 'TEXT COLLATE NOCASE COLLATE RTRIM', 'ANY', 'JSON',
        ], null);
    }

    /** What is equal for the database has one name. */
    #[DataProvider('declarations')]
    public function testValuesThatTheDatabaseFindsEqualHaveOneText(string $declared, ?ColumnType $expected): void
    {
        $database = new RecordingPdo('sqlite::memory:');
        $database->exec("CREATE TABLE item (a TEXT, id INTEGER PRIMARY KEY, 'kind' $declared, z TEXT COLLATE NOCASE)");
        $type = $database->registry()->get('item')->columns['kind'] ?? null;
        self::assertSame($expected, $type);
        self::assertSame(['a', 'id', 'kind', 'z'], $database->registry()->get('item')->allColumns);
        if ($type === null) {
            return;
        }
        $insert = $database->prepare('INSERT OR IGNORE INTO item (kind) VALUES (?)');
        $stored = [];
        foreach (self::VALUES as $value) {
            self::bind($insert, $value);
            $insert->execute();
            $id = (int) $database->lastInsertId();
            $stored[$id] = $database->run('SELECT kind FROM item WHERE id = ?', [$id])->fetchColumn();
        }
        $find = $database->prepare('SELECT id FROM item WHERE kind = ?');
        foreach (self::VALUES as $asked) {
            self::bind($find, $asked);
            $find->execute();
            $name = $type->canonical($asked);
            foreach ($find->fetchAll(PDO::FETCH_COLUMN) as $id) {
                $value = $stored[\is_int($id) ? $id : 0] ?? null;
                self::assertIsScalar($value);
                $text = $type->canonical($value);
                // Without a text a read is one of the whole table, and a change is one in bulk.
                $isOneName = $name === null || $text === null || $name === $text;
                self::assertTrue($isOneName, var_export([$asked, $value], true));
            }
        }
    }

    /** @return iterable<string, array{list<string>, string, list<string>|null}> */
    public static function viewsHere(): iterable
    {
        yield 'a temporary view before it' => [
            ['CREATE VIEW v AS SELECT id FROM news', 'CREATE TEMP VIEW v AS SELECT id FROM comment'],
            'SELECT id FROM v',
            null,
        ];
        yield 'the word AS in quotes' => [['CREATE VIEW "as" AS SELECT id FROM main.news'], 'SELECT * FROM "as"', [
            'news',
            'news!',
        ]];
        yield 'the database itself' => [
            ['CREATE VIEW v AS SELECT name FROM sqlite_master'],
            'SELECT * FROM v',
            null,
        ];
    }

    /**
     * @param list<string>      $schema
     * @param list<string>|null $names
     */
    #[DataProviderExternal(Views::class, 'all')]
    #[DataProvider('viewsHere')]
    public function testAViewCountsAsTheTablesThatItReads(array $schema, string $sql, ?array $names): void
    {
        $database = new RecordingPdo('sqlite::memory:');
        foreach ([...Views::TABLES, ...$schema] as $statement) {
            $database->exec($statement);
        }
        Views::check($database, $sql, $names);
    }

    /** @return iterable<string, array{string, string|null}> SQL, and the key; null: it is no ordinary table */
    public static function tables(): iterable
    {
        yield 'a rowid' => ['CREATE TABLE item (Id INTEGER PRIMARY KEY)', 'Id'];
        yield 'a rowid that is named last' => ['CREATE TABLE item (a, id INTEGER, PRIMARY KEY (id))', 'id'];
        yield 'a rowid that never comes back' => ['CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT)', 'id'];
        yield 'an integer that is no rowid and may be NULL' => ['CREATE TABLE item (id INTEGER PRIMARY KEY DESC)', ''];
        yield 'another integer' => ['CREATE TABLE item (id INT PRIMARY KEY)', ''];
        yield 'another integer that is never NULL' => ['CREATE TABLE item (id INT NOT NULL PRIMARY KEY)', 'id'];
        yield 'a text' => ['CREATE TABLE item (id TEXT PRIMARY KEY)', ''];
        yield 'a text that is never NULL' => ['CREATE TABLE item (id TEXT NOT NULL PRIMARY KEY)', 'id'];
        yield 'a text without a rowid' => ['CREATE TABLE item (id TEXT PRIMARY KEY) WITHOUT ROWID', 'id'];
        yield 'a text without case' => ['CREATE TABLE item (id TEXT NOT NULL COLLATE NOCASE PRIMARY KEY)', 'id'];
        $sql = 'CREATE TABLE item (id TEXT NOT NULL COLLATE NOCASE, PRIMARY KEY (id COLLATE BINARY))';
        yield 'a text whose index compares in another way' => [$sql, ''];
        yield 'a number' => ['CREATE TABLE item (id NUMERIC NOT NULL PRIMARY KEY)', ''];
        yield 'two columns' => ['CREATE TABLE item (a INTEGER, b INTEGER, PRIMARY KEY (a, b))', ''];
        yield 'none' => ['CREATE TABLE item (id INTEGER UNIQUE NOT NULL)', ''];
        yield 'a strict table' => ['CREATE TABLE item (id INTEGER PRIMARY KEY, a ANY) STRICT', 'id'];
        yield 'a view' => ['CREATE VIEW item AS SELECT 1 AS id', null];
        yield 'a virtual table' => ['CREATE VIRTUAL TABLE item USING fts5 (a)', null];
        $sql = 'CREATE VIRTUAL TABLE it USING fts5 (a); ALTER TABLE it RENAME TO item';
        yield 'a table of a virtual one' => [$sql, null];
        yield 'a temporary table' => ['CREATE TEMP TABLE item (id INTEGER PRIMARY KEY)', null];
        yield 'one of Larder' => ['CREATE TABLE larder_item (id INTEGER PRIMARY KEY)', null];
        yield 'a name that would end elsewhere' => ['CREATE TABLE "a?item" (id INTEGER PRIMARY KEY)', null];
    }

    #[DataProvider('tables')]
    public function testTheKeyIsThatOfTheSchema(string $sql, ?string $key): void
    {
        $database = new RecordingPdo('sqlite::memory:');
        $database->exec($sql);
        $tables = $database->registry()->tables();
        self::assertSame($key, $key === null ? null : ($tables[0]->key ?? null));
        self::assertSame($key === null ? [] : ['item'], array_column($tables, 'name'));
        foreach (['item', 'item_data', 'larder_item', 'a?item', 'sqlite_master'] as $name) {
            self::assertSame($name === 'item' && $key !== null, $database->registry()->find($name) !== null);
        }
        if ($key === '') {
            self::assertSame('item', (string) $database->registry()->row('item', 4));
        }
    }

    public function testCollationsAreKnownAsFarAsTheTextWasUnderstood(): void
    {
        $tokens = Lexer::tokens('CREATE TABLE t (a INT, b TEXT COLLATE NOCASE, c TEXT)', new SqliteGrammar()) ?? [];
        self::assertSame(['a' => '', 'b' => 'NOCASE', 'c' => ''], Schema::collations($tokens, ['a', 'b', 'c']));
        self::assertSame(['a' => ''], Schema::collations($tokens, ['a', 'x', 'c']));
    }

    public function testGeneratedColumnsAndOddNamesAreColumnsToo(): void
    {
        $database = new RecordingPdo('sqlite::memory:');
        $database->exec(
            'CREATE TABLE item (id INTEGER PRIMARY KEY, "a b" TEXT, größe INT, "x=y" TEXT, `q"` TEXT,'
                . ' low TEXT COLLATE NOCASE GENERATED ALWAYS AS (lower("a b")) VIRTUAL,'
                . ' twice INT AS (größe * 2) STORED, [last] TEXT, CHECK (id > 0), UNIQUE (low, [last] COLLATE NOCASE))',
        );
        self::assertSame([
            'id' => ColumnType::Integer,
            'größe' => ColumnType::Integer,
            'low' => ColumnType::TextNoCase,
            'twice' => ColumnType::Integer,
            'last' => ColumnType::Text,
        ], $database->registry()->get('ITEM')->columns);
    }

    public function testTextsAreNotComparedInADatabaseOfAnotherEncoding(): void
    {
        $database = new RecordingPdo('sqlite::memory:');
        $database->exec("PRAGMA encoding = 'UTF-16le'");
        $database->exec('CREATE TABLE item (id INTEGER PRIMARY KEY, kind TEXT)');
        // There two texts that are no UTF-8 become the same.
        self::assertSame(['id' => ColumnType::Integer], $database->registry()->get('item')->columns);
    }

    public function testWhatIsDeclaredWinsAndTheRestComesFromTheSchema(): void
    {
        $declared = new Registry(new Table('news', 'id', ['id' => ColumnType::Text]));
        $database = new RecordingPdo('sqlite::memory:', $declared);
        $database->exec('CREATE TABLE News (id INTEGER PRIMARY KEY); CREATE TABLE visit (id INTEGER PRIMARY KEY)');
        $registry = $database->registry();
        self::assertSame($declared->hash(), $registry->hash());
        self::assertSame(ColumnType::Text, $registry->get('News')->columns['id']);
        self::assertSame(['news', 'visit'], array_column($registry->tables(), 'name'));
        self::assertSame(['visit'], array_column($registry->undeclared(), 'name'));
        self::assertSame(['news'], array_column($registry->declared(), 'name'));
        self::assertNull($declared->find('visit'));
    }

    public function testTheSchemaIsReadAnewWhenAnotherConnectionChangedIt(): void
    {
        $news = new NewsSite();
        try {
            $database = new RecordingPdo('sqlite:' . $news->directory->path . '/site.sqlite');
            $find = static fn(): ?string => $database->registry()->find('item')?->key;
            self::assertNull($find());
            $news->database->exec('CREATE TABLE item (id INTEGER PRIMARY KEY)');
            $database->beginTransaction();
            self::assertSame('id', $find());
            $database->exec('DROP TABLE item; CREATE TABLE item (a INT, b INT, PRIMARY KEY (a, b))');
            self::assertSame('', $find());
            $database->rollBack();
            // It counts the same version as the one that was rolled back.
            $news->database->exec('DROP TABLE item');
            $news->database->exec('CREATE TABLE item (x INT NOT NULL PRIMARY KEY)');
            $database->tracker()->snapshot(
                new RecordedReads($database->registry()),
                static fn() => self::assertSame('x', $find()),
                static function (): void {},
            );
        } finally {
            $news->remove();
        }
    }

    public function testNothingIsStoredWhereATemporaryTableHidesATable(): void
    {
        $news = new NewsSite();
        try {
            foreach (['TABLE' => 'TABLE News (id)', 'VIEW' => 'VIEW news AS SELECT 4 AS id'] as $kind => $hiding) {
                $database = $news->connect();
                $refusal = static function () use ($database): string {
                    $reads = new RecordedReads($database->registry());
                    $read = static fn() => $database->query('SELECT id FROM news')->fetchAll();
                    $database->tracker()->snapshot($reads, $read, static function (): void {});

                    return (string) $reads->refusal();
                };
                self::assertSame('', $refusal());
                $database->exec('CREATE TEMP ' . $hiding);
                self::assertSame('a temporary table hides news', $refusal());
                $database->exec("DROP $kind temp.news");
                self::assertSame('', $refusal());
            }
        } finally {
            $news->remove();
        }
    }

    public function testNamesThatWereToldUnderAnotherSchemaAreNotStored(): void
    {
        $news = new NewsSite();
        try {
            $database = new RecordingPdo('sqlite:' . $news->directory->path . '/site.sqlite');
            $reads = new RecordedReads($database->registry());
            $reads->add($database->registry()->row('news', '4'));
            $news->database->exec('CREATE INDEX news_title ON news (title)');
            $database->tracker()->snapshot($reads, static fn() => null, static function (): void {});
            self::assertStringContainsString('schema of the database is another one', (string) $reads->refusal());
        } finally {
            $news->remove();
        }
    }

    private static function bind(PDOStatement $statement, mixed $value): void
    {
        $statement->bindValue(1, $value, \is_int($value) || \is_bool($value) ? PDO::PARAM_INT : PDO::PARAM_STR);
    }

    /**
     * @param list<string> $declarations
     *
     * @return iterable<string, array{string, ColumnType|null}>
     */
    private static function named(array $declarations, ?ColumnType $type): iterable
    {
        foreach ($declarations as $declaration) {
            yield "\"$declaration\"" => [$declaration, $type];
        }
    }
}
