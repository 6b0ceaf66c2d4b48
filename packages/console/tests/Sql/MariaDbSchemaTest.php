<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use ArrayObject;
use Larder\Console\Doctor\Check;
use Larder\Console\Doctor\SchemaChecks;
use Larder\Sql\Reading\Write;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\MariaDbCatalog;
use Larder\Sql\Schema\MariaDbDialect;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Schema;
use Larder\Sql\Schema\SideEffects;
use Larder\Sql\Schema\Table;
use Larder\Sql\Schema\TriggerBody;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\SchemaDrift;
use Larder\Testbed\Server\MariaDb;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;

#[CoversClass(MariaDbCatalog::class)]
#[CoversClass(Schema::class)]
#[CoversClass(SideEffects::class)]
#[CoversClass(TriggerBody::class)]
#[CoversClass(ColumnType::class)]
final class MariaDbSchemaTest extends ServerSchemaTestCase
{
    protected static function server(string $directory): array
    {
        $server = new MariaDb($directory, []);

        return [$server->endpoint(), $server->stop(...)];
    }

    protected static function dsn(bool $isFirst = false): string
    {
        return \sprintf(
            'mysql:unix_socket=%s;%scharset=utf8mb4',
            self::endpoint()->socket,
            $isFirst ? '' : 'dbname=site;',
        );
    }

    protected function setUp(): void
    {
        self::$pdo->exec('SET foreign_key_checks = 0; DROP DATABASE IF EXISTS other');
        self::$pdo->exec('CREATE OR REPLACE DATABASE site CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci; USE site');
        self::$pdo->exec('SET foreign_key_checks = 1');
    }

    /** @return iterable<string, array{list<string>, string, list<string>|null}> */
    public static function viewsHere(): iterable
    {
        yield 'a stored function' => [
            ['CREATE FUNCTION site.one() RETURNS INT RETURN 1', 'CREATE VIEW v AS SELECT id, one() AS a FROM news'],
            'SELECT id FROM v',
            null,
        ];
        yield 'a table without transactions' => [
            ['CREATE TABLE odd (id INT) ENGINE = Aria', 'CREATE VIEW v AS SELECT id FROM odd'],
            'SELECT id FROM v',
            null,
        ];
        yield 'another database' => [
            ['CREATE DATABASE other', 'CREATE TABLE other.news (id INT)', 'CREATE VIEW v AS SELECT id FROM other.news'],
            'SELECT id FROM v',
            null,
        ];
        yield 'a text with an escape' => [
            ["CREATE VIEW v AS SELECT id FROM news WHERE category = 'a\\\\b'"],
            'SELECT id FROM v',
            null,
        ];
        yield 'names that differ in case' => [
            ['CREATE VIEW v AS SELECT id FROM news', 'CREATE VIEW V AS SELECT id FROM comment'],
            'SELECT id FROM v',
            null,
        ];
    }

    /** @return iterable<string, array{string, string|null}> SQL, and the key; null: it is no ordinary table */
    public static function tables(): iterable
    {
        yield 'a number' => ['CREATE TABLE item (Id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY)', 'Id'];
        yield 'a text' => ['CREATE TABLE item (id VARCHAR(9) PRIMARY KEY)', 'id'];
        yield 'the first letters of a text' => ['CREATE TABLE item (id TEXT, PRIMARY KEY (id(5)))', 'id'];
        yield 'two columns' => ['CREATE TABLE item (a INT, b INT, PRIMARY KEY (a, b))', ''];
        yield 'none' => ['CREATE TABLE item (a INT)', ''];
        yield 'two that are unique' => ['CREATE TABLE item (a INT NOT NULL, b INT NOT NULL, UNIQUE (a, b))', ''];
        yield 'one that may be NULL' => ['CREATE TABLE item (a INT, UNIQUE (a))', ''];
        yield 'a decimal' => ['CREATE TABLE item (id DECIMAL(9) PRIMARY KEY)', ''];
        yield 'a year' => ['CREATE TABLE item (id YEAR PRIMARY KEY)', ''];
        yield 'bytes' => ['CREATE TABLE item (id VARBINARY(9) PRIMARY KEY)', 'id'];
        yield 'bytes of one length' => ['CREATE TABLE item (id BINARY(9) PRIMARY KEY)', ''];
        yield 'a language' => ['CREATE TABLE item (id VARCHAR(9) COLLATE utf8mb4_swedish_ci PRIMARY KEY)', ''];
        yield 'a key that needs quotes' => ['CREATE TABLE item (`größe` INT PRIMARY KEY)', ''];
        yield 'partitions' => ['CREATE TABLE item (id INT PRIMARY KEY) PARTITION BY HASH (id) PARTITIONS 2', 'id'];
        $sql = 'CREATE TABLE item (id INT PRIMARY KEY, a INT AS (greatest(id, 4)), at DATETIME DEFAULT NOW())';
        yield 'a column that is always the same' => [$sql, 'id'];
        $sql = 'CREATE TABLE item (id INT PRIMARY KEY, at DATETIME AS (NOW()) VIRTUAL)';
        yield 'a column that shows the time' => [$sql, null];
        $sql = 'CREATE TABLE item (id INT PRIMARY KEY, who TEXT AS (concat(id, user())) VIRTUAL)';
        yield 'a column that shows who reads' => [$sql, null];
        yield 'another engine' => ['CREATE TABLE item (id INT PRIMARY KEY) ENGINE = Aria', null];
        yield 'versions' => ['CREATE TABLE item (id INT PRIMARY KEY) WITH SYSTEM VERSIONING', null];
        yield 'a sequence' => ['CREATE SEQUENCE item', null];
        yield 'a view' => ['CREATE VIEW item AS SELECT 1 AS id', null];
        yield 'two names of one spelling' => ['CREATE TABLE item (a INT); CREATE VIEW Item AS SELECT 1', null];
        yield 'another database' => ['CREATE DATABASE other; CREATE TABLE other.item (a INT)', null];
        yield 'one of Larder' => ['CREATE TABLE larder_item (id INT PRIMARY KEY)', null];
    }

    public function testColumnsHaveATypeWhereItIsKnownHowTheyCompare(): void
    {
        self::$pdo->exec(<<<'SQL'
            CREATE TABLE item (
                id BIGINT UNSIGNED PRIMARY KEY, a TINYINT(1), b INT(5) ZEROFILL, c CHAR(9),
                d VARCHAR(9) COLLATE utf8mb4_bin, e TEXT COLLATE utf8mb4_nopad_bin,
                f LONGTEXT COLLATE utf8mb4_unicode_520_nopad_ci,
                g VARCHAR(9) CHARACTER SET latin1, h CHAR(9) COLLATE utf8mb4_nopad_bin,
                i VARCHAR(9) COLLATE uca1400_ai_ci, j VARCHAR(9) COLLATE uca1400_as_cs,
                k ENUM('a'), l SET('a'), m FLOAT, n DECIMAL(9), o DATE, p BLOB, q VARBINARY(9), r YEAR, s BIT(3),
                t VARCHAR(9) COLLATE utf8mb4_german2_ci,
                u UUID, `v w` INT, größe INT
            )
            SQL);
        $database = self::connect();
        $table = $database->registry()->get('item');
        self::assertSame([
            'id' => ColumnType::Integer,
            'a' => ColumnType::Integer,
            'b' => ColumnType::Integer,
            'c' => ColumnType::AsciiPaddedNoCase,
            'd' => ColumnType::AsciiPadded,
            'e' => ColumnType::Ascii,
            'f' => ColumnType::AsciiNoCase,
            'g' => ColumnType::AsciiPaddedNoCase,
            'i' => ColumnType::AsciiPaddedNoCase,
            'q' => ColumnType::Ascii,
        ], $table->columns);
        self::assertContains('v w', $table->allColumns ?? []);
    }

    /** @return iterable<string, array{string}> */
    public static function collations(): iterable
    {
        foreach (['utf8mb3', 'utf8mb4'] as $set) {
            foreach (['bin', 'nopad_bin'] as $kind) {
                yield "{$set}_$kind" => ["{$set}_$kind"];
            }
            foreach (['general', 'unicode', 'unicode_520'] as $kind) {
                yield "{$set}_{$kind}_ci" => ["{$set}_{$kind}_ci"];
                yield "{$set}_{$kind}_nopad_ci" => ["{$set}_{$kind}_nopad_ci"];
            }
            yield "{$set}_uca1400_ai_ci" => ["{$set}_uca1400_ai_ci"];
            yield "{$set}_uca1400_nopad_ai_ci" => ["{$set}_uca1400_nopad_ai_ci"];
        }
        foreach (['latin1_bin', 'latin1_nopad_bin', 'latin1_swedish_ci', 'latin1_swedish_nopad_ci', 'ascii_bin',
            'ascii_general_ci', 'ascii_general_nopad_ci'] as $collation) {
            yield $collation => [$collation];
        }
        yield 'binary' => ['binary'];
    }

    /** For the database two texts are equal if, and only if, their canonical texts are. */
    #[DataProvider('collations')]
    public function testTextsAreEqualForTheDatabaseWhereTheyHaveOneName(string $collation): void
    {
        $isBinary = $collation === 'binary';
        $column = $isBinary
            ? 'VARBINARY(9)'
            : \sprintf('VARCHAR(9) CHARACTER SET %s COLLATE %s', strstr($collation, '_', true), $collation);
        $type = $isBinary
            ? (new MariaDbCatalog())->typeOf('VARBINARY(9)', '')
            : (new MariaDbCatalog())->typeOf('VARCHAR(9)', strtoupper($collation));
        self::assertNotNull($type);
        foreach (['ä', 'ß', "a\0", "a\t", "\xff"] as $value) {
            self::assertNull($type->canonical($value));
            self::assertFalse($type->isOwn($value));
        }
        self::assertSame([true, false], [$type->isOwn('4'), $type->isOwn(4)]);
        $characters = array_map(chr(...), range(0x20, 0x7e));
        mt_srand(15);
        $words = ['', ' ', 'a', 'A', 'a ', 'A  ', ' a', 'ss', 'SS', 'ae', 'AE'];
        foreach ($characters as $one) {
            array_push($words, $one, "a$one", "{$one}a", "$one ");
        }
        for ($i = 0; $i < 400; ++$i) {
            $word = '';
            for ($length = mt_rand(1, 4); $length > 0; --$length) {
                $word .= $i % 2 === 0 ? ' aAbBsS'[mt_rand(0, 6)] : $characters[mt_rand(0, 94)];
            }
            array_push($words, $word, strtoupper($word), $word . ' ');
        }
        $words = array_values(array_unique($words));
        self::$pdo->exec("CREATE TABLE word (n INT, word $column)");
        $values = [];
        foreach ($words as $n => $word) {
            $values[] = "($n, " . self::$pdo->quote($word) . ')';
        }
        self::$pdo->exec('INSERT INTO word VALUES ' . implode(', ', $values));
        $found = array_column(self::rows('SELECT GROUP_CONCAT(n ORDER BY n) AS n FROM word GROUP BY word'), 'n');
        $expected = [];
        foreach ($words as $n => $word) {
            $expected[(string) $type->canonical($word)][] = $n;
        }
        $expected = array_map(static fn(array $numbers): string => implode(',', $numbers), array_values($expected));
        // Of other ones the numbers are shown.
        self::assertSame([], array_values(array_diff($found, $expected)));
        self::assertSame([], array_values(array_diff($expected, $found)));
    }

    /** MariaDB compares a whole number with a text as floating-point numbers, where it does not convert the text. */
    public function testALongNumberThatIsATextIsNotOfTheColumnsType(): void
    {
        $type = ColumnType::Integer;
        self::assertSame([true, false], [$type->isOwn('999999999999999'), $type->isOwn('9007199254740993')]);
        self::assertSame([true, false], [$type->isOwn('-999999999999999'), $type->isOwn('05')]);
        self::assertTrue($type->isOwn(9007199254740993));
    }

    public function testWhatAForeignKeyOrATriggerWritesIsKnown(): void
    {
        self::$pdo->exec(<<<'SQL'
            CREATE TABLE parent (id INT PRIMARY KEY, a INT, b INT, UNIQUE (a, b));
            CREATE TABLE child (id INT AUTO_INCREMENT PRIMARY KEY, Parent_Id INT,
                FOREIGN KEY (Parent_Id) REFERENCES parent (id) ON DELETE CASCADE);
            CREATE TABLE pair (id INT PRIMARY KEY, a INT, b INT,
                FOREIGN KEY (a, b) REFERENCES parent (a, b) ON UPDATE CASCADE);
            CREATE TABLE tree (id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES tree (id) ON DELETE SET NULL);
            CREATE TABLE log (id INT PRIMARY KEY, what TEXT);
            CREATE TABLE plain (id INT PRIMARY KEY);
            CREATE TABLE early (id INT PRIMARY KEY);
            CREATE TABLE calls (id INT PRIMARY KEY);
            CREATE TABLE looks (id INT PRIMARY KEY);
            CREATE VIEW seen AS SELECT 1 AS id;
            CREATE FUNCTION logged() RETURNS INT MODIFIES SQL DATA RETURN 4;
            CREATE FUNCTION site.abs (x INT) RETURNS INT MODIFIES SQL DATA RETURN 4;
            SQL);
        $trigger = 'CREATE TRIGGER %1$s_%2$s %3$s %2$s ON %1$s FOR EACH ROW %4$s';
        foreach ([
            ['plain', 'INSERT', 'AFTER', "INSERT INTO `log` (id, what) VALUES (NEW.id, CONCAT('x', 4))"],
            ['plain', 'DELETE', 'AFTER', 'BEGIN UPDATE log SET what = 4; DELETE FROM parent WHERE id = OLD.id; END'],
            ['early', 'UPDATE', 'BEFORE', 'SET NEW.id = 4'],
            ['calls', 'INSERT', 'AFTER', 'SET @x = logged()'],
            ['calls', 'UPDATE', 'AFTER', "SET @x = logged -- in\n()"],
            ['calls', 'DELETE', 'AFTER', 'SET @x = logged /* */ ()'],
            ['early', 'INSERT', 'AFTER', 'SET @x = site . abs(4)'],
            ['early', 'DELETE', 'AFTER', 'SET @x = abs(4)'],
            ['looks', 'INSERT', 'AFTER', 'BEGIN DECLARE x INT(11); SELECT id INTO x FROM seen; END'],
        ] as [$table, $event, $time, $body]) {
            self::$pdo->exec(\sprintf($trigger, $table, $event, $time, $body));
        }
        $effects = self::effects(self::connect());
        $of = static fn(string $table, string $event, string ...$columns): ?array
            => $effects->of(new Write($table, [$event], $columns === [] ? null : array_values($columns)));
        self::assertSame(['child'], $of('parent', Write::DELETE));
        self::assertSame([], $of('parent', Write::UPDATE, 'id'));
        self::assertSame(['pair'], $of('parent', Write::UPDATE, 'b'));
        self::assertSame(['tree'], $of('tree', Write::DELETE));
        self::assertSame([], $of('tree', Write::INSERT));
        self::assertSame(['log'], $of('plain', Write::INSERT));
        self::assertEqualsCanonicalizing(['log', 'parent', 'child', 'pair'], $of('plain', Write::DELETE) ?? []);
        self::assertSame([], $of('plain', Write::UPDATE));
        foreach ([Write::INSERT, Write::UPDATE, Write::DELETE] as $event) {
            self::assertNull($of('calls', $event), $event);
        }
        self::assertNull($of('looks', Write::INSERT));
        self::assertSame([null, []], [$of('early', Write::INSERT), $of('early', Write::DELETE)]);
        self::assertSame([true, false], [$effects->isTable('log'), $effects->isTable('seen')]);
        self::assertSame(
            [['table' => 'child', 'event' => 'delete', 'referred' => 'id', 'referring' => 'parent_id']],
            $effects->ofDelete('parent'),
        );
        self::assertSame([['a' => '', 'b' => ''], ['id' => '']], $effects->uniques('parent'));
        self::assertSame([['id' => '']], $effects->uniques('log'));
        self::assertFalse($effects->hasLedger());
    }

    /** An account that may not see a trigger's text sees that there is one. */
    public function testATriggerThatCannotBeReadMayWriteAll(): void
    {
        self::$pdo->exec('CREATE TABLE a (id INT PRIMARY KEY); CREATE TABLE b (id INT PRIMARY KEY)');
        self::$pdo->exec('CREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW INSERT INTO b VALUES (NEW.id)');
        $root = self::pdo('root');
        $root->exec("CREATE OR REPLACE USER plain@'%' IDENTIFIED BY 'plain'");
        $root->exec("GRANT SELECT, INSERT, UPDATE, DELETE ON site.* TO plain@'%'");
        $effects = self::effects(new RecordingPdo(self::dsn(), user: 'plain', password: 'plain'));
        self::assertNull($effects->of(new Write('a', [Write::INSERT])));
        self::assertSame([], $effects->of(new Write('b', [Write::INSERT])));
    }

    /** @return iterable<string, array{list<string>, bool}> grants, and whether keys are seen for certain */
    public static function grants(): iterable
    {
        yield 'on the database' => [['GRANT DELETE ON `si_e`.* TO %s'], true];
        yield 'on all databases' => [['GRANT SELECT, DELETE ON *.* TO %s'], true];
        yield 'on a table' => [['GRANT ALL ON site.a TO %s'], false];
        yield 'by a role' => [
            ['CREATE OR REPLACE ROLE writer', 'GRANT ALL ON site.* TO writer', 'GRANT writer TO %s',
                'SET DEFAULT ROLE writer FOR %s'],
            false,
        ];
    }

    /** @param list<string> $grants */
    #[DataProvider('grants')]
    public function testAnAccountThatMayNotSeeEachForeignKeyMayWriteAll(array $grants, bool $areSeen): void
    {
        self::$pdo->exec('CREATE TABLE a (id INT PRIMARY KEY); CREATE TABLE b (id INT PRIMARY KEY,'
            . ' FOREIGN KEY (id) REFERENCES a (id) ON DELETE CASCADE)');
        $root = self::pdo('root');
        $root->exec("CREATE OR REPLACE USER 'plain@home'@'%' IDENTIFIED BY 'plain'");
        foreach ($grants as $grant) {
            $root->exec(str_replace('%s', "'plain@home'@'%'", $grant));
        }
        $effects = self::effects(new RecordingPdo(self::dsn(), user: 'plain@home', password: 'plain'));
        self::assertSame($areSeen ? ['b'] : null, $effects->of(new Write('a', [Write::DELETE])));
    }

    public function testAForeignKeyMayComeBackByAnotherDatabase(): void
    {
        self::$pdo->exec('CREATE DATABASE other; CREATE TABLE a (id INT PRIMARY KEY);'
            . 'CREATE TABLE other.b (id INT PRIMARY KEY, FOREIGN KEY (id) REFERENCES site.a (id) ON DELETE CASCADE)');
        self::assertSame([], self::effects(self::connect())->of(new Write('a', [Write::DELETE])));
        self::$pdo->exec(
            'CREATE TABLE c (id INT PRIMARY KEY, FOREIGN KEY (id) REFERENCES other.b (id) ON DELETE CASCADE)',
        );
        self::$pdo->exec('INSERT INTO a VALUES (4); INSERT INTO other.b VALUES (4); INSERT INTO c VALUES (4)');
        self::$pdo->exec('DELETE FROM a');
        self::assertSame([], self::rows('SELECT id FROM c'));
        self::assertNull(self::effects(self::connect())->of(new Write('a', [Write::DELETE])));
    }

    /** So a constant is not carried from the one column to the other: a row 'u' is found by 'y'. */
    public function testTwoCollationsFindDifferentTextsEqual(): void
    {
        self::$pdo->exec('CREATE TABLE a (x VARCHAR(9) CHARACTER SET latin1); CREATE TABLE b (y VARCHAR(9));'
            . "INSERT INTO a VALUES ('ü'); INSERT INTO b VALUES ('u')");
        $found = self::rows("SELECT b.y FROM a, b WHERE a.x = 'y' AND a.x = b.y");
        self::assertSame([['y' => 'u']], $found);
        $database = self::connect();
        $type = $database->registry()->get('a')->columns['x'];
        self::assertSame($type, $database->registry()->get('b')->columns['y']);
        self::assertFalse($type->isCarried());
    }

    public function testTheDoctorSaysWhatIsKnown(): void
    {
        self::$pdo->exec('CREATE TABLE item (id INT PRIMARY KEY); CREATE TABLE word (id INT PRIMARY KEY,'
            . ' FOREIGN KEY (id) REFERENCES item (id) ON DELETE CASCADE)');
        $registry = new Registry(new Table('item', 'id', ['id' => ColumnType::Integer]));
        $checks = (new SchemaChecks(self::connect($registry)))->checks();
        self::assertSame([
            'item is a table', 'item has the declared columns', 'word is known from the schema',
            'a change of item changes no row of word',
        ], array_map(static fn(Check $check): string => $check->name, $checks));
    }

    public function testASchemaIsReadOnceForEachVersion(): void
    {
        self::$pdo->exec('CREATE TABLE larder_raise (slot INT, raise BIGINT, PRIMARY KEY (slot, raise));'
            . 'CREATE TABLE larder_set (id INT PRIMARY KEY, tbl VARCHAR(64), columns VARCHAR(999));'
            . 'CREATE TABLE larder_ledger (id INT PRIMARY KEY);'
            . "INSERT INTO larder_set VALUES (1, 'item', 'b')");
        foreach (range(1, 20) as $i) {
            self::$pdo->exec("CREATE TABLE t$i (id INT PRIMARY KEY, b INT)");
        }
        self::$pdo->exec('CREATE TABLE item (id INT PRIMARY KEY, b INT, c INT)');
        $connection = self::connect();
        $second = $connection->tracker()->second();
        /** @var ArrayObject<int, string> $ran */
        $ran = new ArrayObject();
        $rows = static function (string $sql, array $values = []) use ($second, $ran): array {
            $ran->append($sql);

            /** @var array<int, scalar|null> $values */
            return $second->rows($sql, $values);
        };
        $schema = new Schema(new MariaDbDialect(), $rows, static fn(): null => null, true);
        $effects = new SideEffects(new MariaDbDialect(), $rows, $schema);
        $use = static function () use ($schema, $effects): void {
            $effects->refresh();
            foreach ([...range(1, 20)] as $i) {
                $schema->table("t$i");
                $effects->uniques("t$i");
            }
        };
        $sets = static fn(): array => [$schema->table('item')->sets ?? [], $schema->lastSet()];
        $columns = static fn(): array => array_keys($schema->table('item')->columns ?? []);
        $use();
        self::assertCount(6, $ran);
        self::assertSame([0, 1], [$schema->version(), $schema->lastSet()]);
        self::assertTrue($effects->hasLedger());
        $item = $schema->table('item');
        self::assertSame([[['b']], 1], $sets());
        for ($i = 0; $i < 3; ++$i) {
            $schema->look();
            $schema->lookAt(0, 1);
            $use();
        }
        self::assertSame($item, $schema->table('item'));
        self::assertCount(6, $ran);

        // A set that a snapshot does not show is not used in it.
        self::$pdo->exec("INSERT INTO larder_set VALUES (2, 'item', 'c')");
        $schema->look();
        $schema->expire();
        self::assertSame([[['b'], ['c']], 2], $sets());
        $ran->exchangeArray([]);
        $schema->lookAt(0, 1);
        self::assertSame([[['b']], 1], $sets());
        $schema->look();
        self::assertSame([[['b'], ['c']], 2], $sets());
        self::assertCount(0, $ran);
        // One that it shows is used, though it was not known.
        self::$pdo->exec("INSERT INTO larder_set VALUES (3, 'item', 'b,c')");
        $schema->lookAt(0, 3);
        self::assertSame([[['b'], ['c'], ['b', 'c']], 3], $sets());

        self::$pdo->exec('ALTER TABLE item ADD d INT; INSERT INTO larder_raise VALUES (-1, 12), (-1, 5), (7, 1)');
        self::assertSame(['id', 'b', 'c'], $columns());
        self::assertTrue($schema->lookAt(9, 3));
        self::assertSame(['id', 'b', 'c', 'd'], $columns());
        self::assertSame(9, $schema->version());
        $ran->exchangeArray([]);
        $use();
        self::assertCount(2, $ran);

        // What one transaction has derived by two versions, or two lists, is of none.
        foreach (['larder_raise VALUES (-1, 64)', "larder_set VALUES (4, 'item', 'd')"] as $row) {
            $schema->begin();
            $columns();
            self::$pdo->exec('INSERT INTO ' . $row);
            $schema->altered();
            $version = $schema->version();
            $schema->begin();
            self::assertSame([-1, 73], [$version, $schema->version()], $row);
        }
        $use();
        $ran->exchangeArray([]);
        $schema->begin();
        $schema->expire();
        $use();
        // One query tells that both the version and the sets are what they were.
        self::assertCount(1, $ran);
    }

    public function testATransactionBeginsWithThePresentPlan(): void
    {
        self::$pdo->exec('CREATE TABLE larder_raise (slot INT, raise BIGINT, PRIMARY KEY (slot, raise));'
            . 'CREATE TABLE larder_set (id INT PRIMARY KEY, tbl VARCHAR(64), columns VARCHAR(999));'
            . 'CREATE TABLE item (id INT PRIMARY KEY)');
        $database = self::connect();
        $database->registry()->get('item');
        self::$pdo->exec('INSERT INTO larder_raise VALUES (-1, 12)');
        self::assertSame(0, $database->tracker()->schema()->version());
        $database->beginTransaction();
        self::assertSame(12, $database->tracker()->schema()->version());
        $database->registry()->get('item');
        self::$pdo->exec('INSERT INTO larder_raise VALUES (-1, 5)');
        $database->tracker()->schema()->altered();
        self::assertSame(-1, $database->tracker()->schema()->version());
        $database->rollBack();
        $database->beginTransaction();
        self::assertSame(9, $database->tracker()->schema()->version());
        $database->rollBack();
    }

    public function testWithoutALedgerTheSchemaIsReadAnewAfterAStatementThatMayHaveChangedIt(): void
    {
        self::$pdo->exec('CREATE TABLE item (id INT PRIMARY KEY)');
        $database = self::connect();
        $schema = $database->tracker()->schema();
        self::assertSame([['item'], 0], [$schema->names(), $schema->version()]);
        self::assertSame('SELECT 0', $schema->moment());
        self::$pdo->exec('CREATE TABLE other (id INT PRIMARY KEY)');
        $schema->look();
        self::assertSame(['item'], $schema->names());
        $schema->altered();
        self::assertEqualsCanonicalizing(['item', 'other'], $schema->names());
    }

    public function testWhereTheSecondConnectionFailsNoTableIsKnown(): void
    {
        self::$pdo->exec('CREATE TABLE item (id INT PRIMARY KEY)');
        $database = self::connect();
        self::assertNotNull($database->registry()->find('item'));
        $root = self::pdo('root');
        // The server may not have noticed yet that those of other tests are closed.
        $blocked = self::connect();
        $others = $root->prepare('SELECT COUNT(*) FROM information_schema.PROCESSLIST');
        $count = static fn(): int => $others->execute() ? (int) $others->fetchColumn() : 0;
        // MariaDB takes no fewer than ten, and other tests may have kept some.
        $most = max(10, $count() + 3);
        $root->exec("SET GLOBAL max_connections = $most");
        $blockers = [];
        try {
            try {
                for ($i = 0; $i < $most + 2; ++$i) {
                    $blockers[] = self::pdo();
                }
            } catch (PDOException) {
                // No further one gets in.
            }
            self::assertNull($blocked->registry()->find('item'));
            self::assertSame(-1, $blocked->tracker()->schema()->version());
            $blockers = [];
            for ($tries = 0; $tries < 6000 && $count() > $most - 3; ++$tries) {
                usleep(5000);
            }
            self::assertNotNull($blocked->registry()->find('item'));
        } finally {
            $blockers = [];
            $root->exec('SET GLOBAL max_connections = 512');
        }
    }

    public function testADeclaredTypeFitsOrIsNamed(): void
    {
        self::$pdo->exec(
            'CREATE TABLE item (id INT PRIMARY KEY, kind VARCHAR(9), exact VARCHAR(9) COLLATE utf8mb4_bin, at DATE)',
        );
        self::$pdo->exec('CREATE VIEW seen AS SELECT 1 AS id');
        $database = self::connect(new Registry(
            new Table('item', 'id', [
                'id' => ColumnType::Integer, 'kind' => ColumnType::Text, 'exact' => ColumnType::AsciiPaddedNoCase,
                'at' => ColumnType::Text, 'gone' => ColumnType::Text,
            ]),
            new Table('seen', 'id', ['id' => ColumnType::Integer]),
        ));
        $found = (new SchemaDrift($database))->found();
        self::assertSame(['item.kind', 'item.at', 'item.gone', 'seen'], array_keys($found));
        self::assertStringContainsString('use ColumnType::AsciiPaddedNoCase', $found['item.kind']);
        self::assertStringContainsString('use another column', $found['item.at']);
    }

    private static function effects(RecordingPdo $database): SideEffects
    {
        $tracker = $database->tracker();
        $effects = new SideEffects($database->dialect(), $tracker->second()->rows(...), $tracker->schema());
        $effects->refresh();

        return $effects;
    }
}
