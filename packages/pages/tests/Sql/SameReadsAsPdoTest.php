<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\RecordingStatement;
use Larder\Tests\Support\NewsSite;
use PDO;
use PDOException;
use PDORow;
use PDOStatement;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use stdClass;
use Throwable;

/** What an application gets of its reads is what a plain connection gives, in a render too. */
#[CoversClass(RecordingPdo::class)]
#[CoversClass(RecordingStatement::class)]
final class SameReadsAsPdoTest extends TestCase
{
    private const SCHEMA = [
        'CREATE TABLE news (id INTEGER PRIMARY KEY, category TEXT, author TEXT COLLATE NOCASE, title TEXT, body BLOB,'
            . ' price REAL)',
        'CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER NOT NULL, text TEXT)',
        'CREATE TABLE pair (a INTEGER, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID',
        "INSERT INTO news VALUES (4, 'net', 'Bob', 'four', x'00ff', 1.5), (5, 'web', NULL, 'it''s', '', 2),"
            . " (6, 'net', 'eve', '', NULL, NULL)",
        "INSERT INTO comment VALUES (1, 4, 'a'), (2, 4, 'b'), (3, 6, 'c')",
        "INSERT INTO pair VALUES (1, 'x'), (2, 'y')",
        'CREATE VIEW named AS SELECT id, title FROM news',
    ];

    /** Columns that differ, so that each way to fetch shows another thing. */
    private const QUERY = 'SELECT category, title, id FROM news ORDER BY id';

    private PDO $plain;
    private RecordingPdo $ours;

    protected function setUp(): void
    {
        $this->plain = new PDO('sqlite::memory:');
        $this->ours = new RecordingPdo('sqlite::memory:', NewsSite::registry());
        foreach (self::SCHEMA as $statement) {
            $this->plain->exec($statement);
            $this->ours->exec($statement);
        }
    }

    /** @return iterable<string, array{string}> */
    public static function statements(): iterable
    {
        $text = (string) file_get_contents(__DIR__ . '/statements/reads.sql');
        foreach (explode("\n", rtrim($text)) as $statement) {
            yield $statement => [$statement];
        }
    }

    #[DataProvider('statements')]
    public function testOfAStatement(string $sql): void
    {
        $this->assertSameOf([
            static fn(PDO $pdo): array => self::all(self::ran($pdo, $sql)),
            static fn(PDO $pdo): array => self::all(self::ran($pdo, $sql, PDO::FETCH_NUM)),
            static function (PDO $pdo) use ($sql): array {
                $statement = $pdo->prepare($sql);

                return [$statement->execute(), self::all($statement), $statement->execute(), self::all($statement)];
            },
            static fn(PDO $pdo): array => [$pdo->exec($sql) === 0, $pdo->errorInfo(), $pdo->lastInsertId()],
            static function (PDO $pdo) use ($sql): array {
                $statement = self::ran($pdo, $sql);
                $rows = [];
                while (($row = $statement->fetch(PDO::FETCH_NUM)) !== false) {
                    $rows[] = $row;
                }

                return $rows;
            },
        ]);
    }

    /** @return iterable<string, array{Closure(PDO): mixed}> */
    public static function fetches(): iterable
    {
        $all = static fn(int $mode, mixed ...$with): Closure
            => static fn(PDO $pdo): mixed => self::ran($pdo, self::QUERY)->fetchAll($mode, ...$with);
        foreach (['ASSOC', 'NUM', 'BOTH', 'OBJ', 'NAMED', 'COLUMN', 'CLASS', 'LAZY', 'BOUND', 'KEY_PAIR', 'INTO',
            'FUNC', 'SERIALIZE', 'CLASSTYPE', 'PROPS_LATE', 'GROUP', 'UNIQUE', 'DEFAULT'] as $name) {
            $mode = \constant("PDO::FETCH_$name");
            yield "fetchAll() as $name" => [$all($mode)];
            yield "fetch() as $name" => [static function (PDO $pdo) use ($mode): mixed {
                $row = self::ran($pdo, self::QUERY)->fetch($mode);

                return $row instanceof PDORow ? [$row->queryString, get_object_vars($row)] : $row;
            }];
            yield "query() as $name" => [
                static fn(PDO $pdo): mixed => self::ran($pdo, 'SELECT id, title FROM news', $mode)->fetchAll(),
            ];
            yield "setFetchMode() to $name" => [static function (PDO $pdo) use ($mode): mixed {
                $statement = self::ran($pdo, 'SELECT id, title FROM news');

                return [$statement->setFetchMode($mode), $statement->fetchAll()];
            }];
            yield "as the connection's default, $name" => [static function (PDO $pdo) use ($mode): mixed {
                return [
                    $pdo->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, $mode),
                    $pdo->getAttribute(PDO::ATTR_DEFAULT_FETCH_MODE),
                    self::ran($pdo, 'SELECT id, title FROM news')->fetchAll(),
                ];
            }];
        }
        yield 'grouped' => [$all(PDO::FETCH_GROUP | PDO::FETCH_ASSOC)];
        yield 'grouped columns' => [$all(PDO::FETCH_GROUP | PDO::FETCH_COLUMN)];
        yield 'grouped by a column' => [$all(PDO::FETCH_GROUP | PDO::FETCH_COLUMN, 1)];
        yield 'unique' => [$all(PDO::FETCH_UNIQUE | PDO::FETCH_NUM)];
        yield 'the second column' => [$all(PDO::FETCH_COLUMN, 1)];
        yield 'a column that is not there' => [$all(PDO::FETCH_COLUMN, 9)];
        yield 'objects of a class' => [$all(PDO::FETCH_CLASS, FetchedNews::class, ['given'])];
        yield 'their constructor later' => [
            $all(PDO::FETCH_CLASS | PDO::FETCH_PROPS_LATE, FetchedNews::class, ['late']),
        ];
        yield 'the class in the first column' => [
            static fn(PDO $pdo): array => self::ran($pdo, "SELECT 'stdClass', id FROM news")
                ->fetchAll(PDO::FETCH_CLASS | PDO::FETCH_CLASSTYPE),
        ];
        yield 'through a function' => [$all(PDO::FETCH_FUNC, static fn(string ...$row): string => implode('-', $row))];
        yield 'into an object' => [static function (PDO $pdo): mixed {
            $statement = self::ran($pdo, self::QUERY);
            $statement->setFetchMode(PDO::FETCH_INTO, new stdClass());

            return $statement->fetch();
        }];
        yield 'fetchObject()' => [static fn(PDO $pdo): mixed => self::ran($pdo, self::QUERY)->fetchObject()];
        yield 'fetchObject() of a class' => [
            static fn(PDO $pdo): mixed => self::ran($pdo, self::QUERY)->fetchObject(FetchedNews::class, ['given']),
        ];
        yield 'fetchObject() without rows' => [
            static fn(PDO $pdo): mixed => self::ran($pdo, 'SELECT 1 WHERE 0')->fetchObject(),
        ];
        yield 'fetchColumn()' => [static function (PDO $pdo): array {
            $statement = self::ran($pdo, self::QUERY);

            return [$statement->fetchColumn(2), $statement->fetchColumn(), $statement->fetchColumn(1),
                $statement->fetchColumn()];
        }];
        yield 'fetchColumn() of none' => [static fn(PDO $pdo): mixed => self::ran($pdo, self::QUERY)->fetchColumn(9)];
        yield 'foreach' => [static fn(PDO $pdo): array => iterator_to_array(self::ran($pdo, self::QUERY))];
        yield 'foreach over a mode' => [
            static fn(PDO $pdo): array => iterator_to_array(self::ran($pdo, self::QUERY, PDO::FETCH_COLUMN, 1)),
        ];
        yield 'another cursor' => [static function (PDO $pdo): mixed {
            $statement = self::ran($pdo, self::QUERY);

            return [$statement->fetch(PDO::FETCH_NUM, PDO::FETCH_ORI_LAST), $statement->fetch(PDO::FETCH_NUM)];
        }];
    }

    /** @param Closure(PDO): mixed $fetch */
    #[DataProvider('fetches')]
    public function testOfAWayToFetch(Closure $fetch): void
    {
        $this->assertSameOf([$fetch]);
    }

    /** @return iterable<string, array{Closure(PDO): mixed}> */
    public static function values(): iterable
    {
        $values = ['an integer' => 4, 'text' => '4', 'a float' => 4.0, 'null' => null, 'true' => true, 'words' => 'net',
            'an array' => [4], 'bytes' => "\x00\xff", 'nothing' => ''];
        foreach ($values as $name => $value) {
            yield "execute() with $name" => [static function (PDO $pdo) use ($value): array {
                $statement = $pdo->prepare('SELECT ?, typeof(?), id FROM news WHERE id = ? OR category = ?');

                return [$statement->execute([$value, $value, $value, $value]), $statement->fetchAll()];
            }];
            yield "named, $name" => [static function (PDO $pdo) use ($value): array {
                $statement = $pdo->prepare('SELECT :v, typeof(:v), id FROM news WHERE id = :v OR category = :v');

                return [$statement->execute(['v' => $value]), $statement->fetchAll(),
                    $statement->execute([':v' => $value]), $statement->fetchAll()];
            }];
            foreach (['NULL', 'INT', 'STR', 'LOB', 'BOOL'] as $type) {
                yield "bindValue() of $name as $type" => [static function (PDO $pdo) use ($value, $type): array {
                    $statement = $pdo->prepare('SELECT :v AS v, typeof(:v) AS type, id FROM news WHERE id = :v');

                    return [
                        $statement->bindValue(':v', $value, \constant("PDO::PARAM_$type")),
                        $statement->execute(),
                        $statement->fetchAll(),
                    ];
                }];
            }
        }
        yield 'bindParam()' => [static function (PDO $pdo): array {
            $statement = $pdo->prepare('SELECT id FROM news WHERE id = ?');
            $statement->bindParam(1, $id, PDO::PARAM_INT);
            $found = [];
            foreach ([4, 5, '6', 99] as $id) {
                $statement->execute();
                $found[] = $statement->fetchAll();
            }

            return $found;
        }];
        yield 'bindColumn()' => [static function (PDO $pdo): array {
            $statement = self::ran($pdo, self::QUERY);
            $statement->bindColumn('title', $title);
            $statement->bindColumn(3, $id, PDO::PARAM_STR);
            $found = [];
            while ($statement->fetch(PDO::FETCH_BOUND) !== false) {
                $found[] = [$title, $id];
            }

            return $found;
        }];
        foreach ([[], [4], [4, 5, 6], ['v' => 4], [2 => 4]] as $n => $given) {
            yield "two parameters, other values: $n" => [static function (PDO $pdo) use ($given): array {
                $statement = $pdo->prepare('SELECT id FROM news WHERE id = ? OR id = ?');

                return [$statement->execute($given), $statement->fetchAll()];
            }];
        }
        foreach (['?2, ?1', '@a, @b', '$a, $b', ':a, :a'] as $parameters) {
            yield "parameters $parameters" => [static function (PDO $pdo) use ($parameters): array {
                $statement = $pdo->prepare("SELECT $parameters");

                return [$statement->bindValue(1, 'one'), $statement->bindValue(2, 2, PDO::PARAM_INT),
                    $statement->execute(), $statement->fetchAll(PDO::FETCH_NUM)];
            }];
        }
        yield 'a parameter that is not there' => [
            static fn(PDO $pdo): bool => $pdo->prepare('SELECT 1')->bindValue(':none', 1),
        ];
    }

    /** @param Closure(PDO): mixed $read */
    #[DataProvider('values')]
    public function testOfValues(Closure $read): void
    {
        $this->assertSameOf([$read]);
    }

    /** @return iterable<string, array{Closure(PDO): mixed}> */
    public static function others(): iterable
    {
        foreach (['AUTOCOMMIT', 'PREFETCH', 'TIMEOUT', 'ERRMODE', 'SERVER_VERSION', 'CLIENT_VERSION', 'SERVER_INFO',
            'CONNECTION_STATUS', 'CASE', 'CURSOR_NAME', 'CURSOR', 'DRIVER_NAME', 'ORACLE_NULLS', 'PERSISTENT',
            'FETCH_CATALOG_NAMES', 'FETCH_TABLE_NAMES', 'STRINGIFY_FETCHES', 'MAX_COLUMN_LEN', 'DEFAULT_FETCH_MODE',
            'EMULATE_PREPARES', 'DEFAULT_STR_PARAM'] as $name) {
            $attribute = \constant("PDO::ATTR_$name");
            yield "getAttribute() of $name" => [static fn(PDO $pdo): mixed => $pdo->getAttribute($attribute)];
            yield "a statement's $name" => [
                static fn(PDO $pdo): mixed => self::ran($pdo, 'SELECT 1')->getAttribute($attribute),
            ];
        }
        $set = ['TIMEOUT' => 3, 'EMULATE_PREPARES' => true, 'AUTOCOMMIT' => false, 'PREFETCH' => 9];
        foreach ($set as $name => $value) {
            $attribute = \constant("PDO::ATTR_$name");
            yield "setAttribute() of $name" => [static fn(PDO $pdo): array => [
                $pdo->setAttribute($attribute, $value), self::ran($pdo, 'SELECT 1')->fetchAll(),
            ]];
        }
        yield 'a statement without rows' => [
            static fn(PDO $pdo): array => self::all(self::ran($pdo, 'SELECT 1 WHERE 0')),
        ];
        yield 'closeCursor()' => [static function (PDO $pdo): array {
            $statement = self::ran($pdo, self::QUERY);

            return [$statement->fetch(), $statement->closeCursor(), $statement->fetch(), $statement->execute(),
                $statement->fetchAll()];
        }];
        yield 'nextRowset()' => [static fn(PDO $pdo): bool => self::ran($pdo, 'SELECT 1')->nextRowset()];
        yield 'fetch before execute()' => [static fn(PDO $pdo): mixed => $pdo->prepare('SELECT 1')->fetch()];
        yield 'fetch behind the end' => [static function (PDO $pdo): array {
            $statement = self::ran($pdo, 'SELECT 1');

            return [$statement->fetch(), $statement->fetch(), $statement->fetchAll(), $statement->fetchColumn()];
        }];
        yield 'debugDumpParams()' => [static function (PDO $pdo): array {
            $statement = $pdo->prepare('SELECT :a');
            $statement->bindValue(':a', 4);
            ob_start();
            $statement->debugDumpParams();

            return [ob_get_clean(), $statement->queryString];
        }];
        yield 'an empty text' => [static fn(PDO $pdo): mixed => self::ran($pdo, '')];
        yield 'an empty text to prepare' => [static fn(PDO $pdo): mixed => $pdo->prepare('')->execute()];
        yield 'an empty text to exec' => [static fn(PDO $pdo): mixed => $pdo->exec('')];
        yield 'a comment alone' => [static fn(PDO $pdo): mixed => $pdo->exec('-- nothing')];
        yield 'quote()' => [static fn(PDO $pdo): array => [$pdo->quote("it's"), $pdo->quote('')]];
        yield 'errors before and after' => [static function (PDO $pdo): array {
            self::ran($pdo, 'SELECT 1');
            $before = [$pdo->errorCode(), $pdo->errorInfo()];
            try {
                self::ran($pdo, 'SELECT nothing');
            } catch (PDOException $exception) {
                return [$before, $pdo->errorCode(), $pdo->errorInfo(), $exception->errorInfo];
            }

            return $before;
        }];
        yield 'a function of PHP' => [static function (PDO $pdo): array {
            $pdo->sqliteCreateFunction('twice', static fn(int $n): int => 2 * $n);

            return self::ran($pdo, 'SELECT twice(id) FROM news')->fetchAll();
        }];
        yield 'a collation of PHP' => [static function (PDO $pdo): array {
            $pdo->sqliteCreateCollation('backwards', static fn(string $a, string $b): int => $b <=> $a);

            return self::ran($pdo, 'SELECT title FROM news ORDER BY title COLLATE backwards')->fetchAll();
        }];
        yield 'an aggregate of PHP' => [static function (PDO $pdo): array {
            $pdo->sqliteCreateAggregate(
                'joined',
                static fn(?string $all, int $n, string $title): string => $all . $title,
                static fn(?string $all): ?string => $all,
            );

            return self::ran($pdo, 'SELECT joined(title) FROM news')->fetchAll();
        }];
    }

    /** @param Closure(PDO): mixed $do */
    #[DataProvider('others')]
    public function testOfTheRest(Closure $do): void
    {
        $this->assertSameOf([$do]);
    }

    /** @param list<Closure(PDO): mixed> $all */
    private function assertSameOf(array $all): void
    {
        foreach ($all as $n => $do) {
            $plain = self::outcome($this->plain, $do);
            self::assertSame($plain, self::outcome($this->ours, $do), "form $n");
            $rendered = null;
            $reads = new RecordedReads($this->ours->registry());
            $this->ours->tracker()->snapshot($reads, function () use ($do, &$rendered): void {
                $rendered = self::outcome($this->ours, $do);
            }, static function (): void {});
            self::assertSame($plain, $rendered, "form $n, in a render");
        }
    }

    /** @param Closure(PDO): mixed $do */
    private static function outcome(PDO $pdo, Closure $do): string
    {
        $warnings = [];
        set_error_handler(static function (int $level, string $message) use (&$warnings): bool {
            $warnings[] = str_replace(['RecordingStatement', 'Larder\\Dependency\\'], ['PDOStatement', ''], $message);

            return true;
        });
        try {
            $made = $do($pdo);
        } catch (Throwable $exception) {
            $info = $exception instanceof PDOException ? $exception->errorInfo : null;
            $made = [$exception::class, $exception->getMessage(), $exception->getCode(), $info];
        } finally {
            restore_error_handler();
        }

        return print_r($warnings, true) . var_export($made, true);
    }

    private static function ran(PDO $pdo, string $sql, ?int $mode = null, mixed ...$arguments): PDOStatement
    {
        $statement = $pdo->query($sql, $mode, ...$arguments);
        self::assertInstanceOf(PDOStatement::class, $statement);

        return $statement;
    }

    /** @return array<string, mixed> all that a statement tells */
    private static function all(PDOStatement $statement): array
    {
        $columns = [];
        for ($n = 0; $n < $statement->columnCount(); ++$n) {
            $columns[] = $statement->getColumnMeta($n);
        }

        return [
            'columns' => $columns,
            'affected' => $statement->rowCount(),
            'rows' => $statement->fetchAll(PDO::FETCH_NUM),
            'errors' => [$statement->errorCode(), $statement->errorInfo()],
            'text' => $statement->queryString,
        ];
    }
}
