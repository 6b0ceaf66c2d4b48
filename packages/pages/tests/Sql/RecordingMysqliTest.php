<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Page\FilePageStore;
use Larder\Page\PagePath;
use Larder\Page\Response;
use Larder\Sql\Exception\InvalidConnection;
use Larder\Sql\Ledger\Publication;
use Larder\Sql\Ledger\Registration;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\ConnectionParameters;
use Larder\Sql\Tracker\MysqliAnswer;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingMysqli;
use Larder\Sql\Tracker\RecordingMysqliStatement;
use Larder\Sql\Tracker\Tracker;
use LogicException;
use mysqli;
use mysqli_result;
use mysqli_sql_exception;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use Psr\Log\NullLogger;
use WeakReference;

/** What runs through a RecordingMysqli is named as by a RecordingPdo, and answers as a mysqli does. */
#[CoversClass(RecordingMysqli::class)]
#[CoversClass(RecordingMysqliStatement::class)]
#[CoversClass(MysqliAnswer::class)]
#[CoversClass(ConnectionParameters::class)]
#[CoversClass(Tracker::class)]
#[RequiresPhpExtension('mysqli')]
#[RequiresPhpExtension('pdo_mysql')]
final class RecordingMysqliTest extends MysqliTestCase
{
    public function testReadsAreNamedHoweverTheyAreRun(): void
    {
        $this->mysqli->query("INSERT INTO news (id, category, title) VALUES (4, 'net', 'Four')");
        $id = 4;
        $prepared = $this->mysqli->prepare('SELECT title FROM news WHERE id = ?');
        self::assertNotFalse($prepared);
        $prepared->bind_param('i', $id);
        $column = static fn(mysqli_result|bool $result): mixed => $result instanceof mysqli_result
            ? $result->fetch_column()
            : null;
        $query = 'SELECT title FROM news WHERE id = 4';
        $ways = [
            'query' => fn(): mixed => $column($this->mysqli->query($query)),
            'unbuffered' => fn(): mixed => $column($this->mysqli->query($query, MYSQLI_USE_RESULT)),
            'real_query' => fn(): mixed => [$this->mysqli->real_query($query), $column($this->mysqli->use_result())][1],
            'multi_query' => fn(): mixed => [
                $this->mysqli->multi_query($query), $column($this->mysqli->store_result()),
            ][1],
            'prepare' => static fn(): mixed => [$prepared->execute(), $column($prepared->get_result())][1],
        ];
        foreach ($ways as $way => $read) {
            $reads = new RecordedReads($this->mysqli->registry());
            $title = $this->mysqli->tracker()->snapshot($reads, $read, static fn() => null);

            self::assertSame([$way, 'Four', ['news!', 'news:4'], null], [
                $way, $title, $reads->names(), $reads->refusal(),
            ]);
        }
        $reads = new RecordedReads($this->mysqli->registry());
        $more = fn(): mixed => $column($this->mysqli->execute_query($query . ' AND title = ?', ['x']));
        $this->mysqli->tracker()->record($reads, $more);
        self::assertSame(['news!', 'news:4'], $reads->names());
    }

    public function testRowsThatARenderLeavesUnreadDoNotKeepItsTransaction(): void
    {
        $this->mysqli->query("INSERT INTO news (id, category, title) VALUES (4, 'net', 'Four'), (5, 'net', 'Five')");
        $prepared = $this->mysqli->prepare('SELECT title FROM news');
        self::assertNotFalse($prepared);
        $query = 'SELECT @@SESSION.in_transaction AS isOpen';
        $isOpen = fn(): mixed => $this->mysqli->own()->rows($query)[0]['isOpen'] ?? null;
        $kept = null;
        $query = function () use (&$kept): void {
            $kept = $this->mysqli->query('SELECT title FROM news', MYSQLI_USE_RESULT);
        };
        $this->mysqli->tracker()->snapshot(new RecordedReads($this->mysqli->registry()), $query, static fn() => null);
        self::assertSame(0, $isOpen());
        self::assertInstanceOf(mysqli_result::class, $kept);

        $execute = static fn(): mixed => [$prepared->execute(), $prepared->fetch()];
        $this->mysqli->tracker()->snapshot(new RecordedReads($this->mysqli->registry()), $execute, static fn() => null);
        $prepared->free_result();
        self::assertSame(1, $isOpen());
        $this->mysqli->query('SELECT 1');
        self::assertSame(0, $isOpen());
    }

    public function testWhatIsWrittenIsNamed(): void
    {
        $this->mysqli->query("INSERT INTO news (id, category, title) VALUES (4, 'net', 'Four')");
        $this->mysqli->execute_query('UPDATE news SET title = ? WHERE id = 4', ['Vier']);
        $id = 4;
        $prepared = $this->mysqli->prepare('UPDATE news SET views = views + 1 WHERE id = ?');
        self::assertNotFalse($prepared);
        $prepared->bind_param('i', $id);
        $prepared->execute();
        $this->mysqli->real_query('DELETE FROM news WHERE id = 4');

        self::assertSame(array_fill(0, 4, ['news:4', 'news']), $this->told);
    }

    /** A function may end it, and nothing of Larder's runs then. */
    public function testATransactionTellsEachWriteAtOnce(): void
    {
        $this->mysqli->begin_transaction();
        $this->mysqli->query("INSERT INTO news (id, category, title) VALUES (1, 'net', 'One')");
        $this->mysqli->savepoint('inner');
        $this->mysqli->query("INSERT INTO news (id, category, title) VALUES (2, 'net', 'Two')");
        $this->mysqli->release_savepoint('inner');
        $isOpen = $this->mysqli->inTransaction();
        $this->mysqli->commit();
        $this->mysqli->autocommit(false);
        $this->mysqli->query("INSERT INTO news (id, category, title) VALUES (3, 'net', 'Three')");
        $this->mysqli->rollback();
        $this->mysqli->query("INSERT INTO news (id, category, title) VALUES (4, 'net', 'Four')");
        $this->mysqli->autocommit(true);

        self::assertSame(
            [true, false, array_map(static fn(int $id): array => ["news:$id", 'news'], [1, 2, 3, 4])],
            [$isOpen, $this->mysqli->inTransaction(), $this->told],
        );
    }

    public function testSeveralStatementsInOneTextAreFollowedOneByOne(): void
    {
        $this->mysqli->multi_query(
            "INSERT INTO news (id, category, title) VALUES (7, 'net', 'a'); SELECT title FROM news;"
            . ' UPDATE news SET views = 1',
        );
        $seen = [];
        do {
            $result = $this->mysqli->store_result();
            $seen[] = $result === false
                ? [$this->mysqli->insert_id, $this->mysqli->affected_rows]
                : $result->fetch_column();
        } while ($this->mysqli->next_result());

        self::assertSame([[7, 1], 'a', [0, 1]], $seen);
        self::assertSame([['news:7', 'news'], ['news:7', 'news']], $this->told);
    }

    public function testADatabaseMayBeSelectedLate(): void
    {
        $mysqli = new RecordingMysqli(logger: new NullLogger());
        [$user, $password] = self::account();
        $mysqli->real_connect(null, $user, $password, null, null, self::$endpoint->socket);
        $mysqli->query('SELECT @@SESSION.sql_mode');
        $mysqli->select_db('bench');
        $reads = new RecordedReads($mysqli->registry());
        $mysqli->tracker()->record($reads, static fn(): mixed => $mysqli->query('SELECT title FROM news WHERE id = 4'));

        self::assertSame([['news!', 'news:4'], null], [$reads->names(), $reads->refusal()]);
    }

    public function testNothingKeepsTheConnectionOpen(): void
    {
        $mysqli = $this->connect();
        SqlLedger::forValues($mysqli)->deploy();
        $mysqli->query("INSERT INTO news (id, category, title) VALUES (4, 'net', 'Four')");
        $kept = WeakReference::create($mysqli);
        unset($mysqli);

        self::assertNull($kept->get());
    }

    public function testWhatCannotBeFollowedIsRefused(): void
    {
        foreach ([
            fn() => $this->mysqli->query('SELECT 1', MYSQLI_ASYNC),
            static fn() => new RecordingMysqli('p:localhost'),
        ] as $do) {
            try {
                $do();
                self::fail('It must be refused.');
            } catch (InvalidConnection $exception) {
                self::assertStringContainsString('RecordingMysqli', $exception->getMessage());
            }
        }
    }

    /** Functions do not call the methods: this says so as long as it is true. */
    public function testFunctionsPassItBy(): void
    {
        $reads = new RecordedReads($this->mysqli->registry());
        $query = 'SELECT title FROM news WHERE id = 4';
        $this->mysqli->tracker()->record($reads, fn(): mixed => mysqli_query($this->mysqli, $query));

        self::assertSame([], $reads->names());
    }

    /** @return iterable<string, array{Closure(mysqli): mixed, bool}> what a render does; whether it may be stored */
    public static function renders(): iterable
    {
        $query = 'SELECT title FROM news WHERE id = 4';
        yield 'a function' => [static fn(mysqli $db): mixed => mysqli_query($db, $query), false];
        yield 'nothing' => [static fn(mysqli $db): null => null, false];
        yield 'a method' => [static fn(mysqli $db): mixed => $db->query($query), true];
        yield 'a method that reads no table' => [static fn(mysqli $db): mixed => $db->query('SELECT 1'), true];
        yield 'a name' => [
            static fn(mysqli $db): mixed => $db instanceof RecordingMysqli
                ? $db->tracker()->recorded()?->add($db->registry()->row('news', 4))
                : null,
            true,
        ];
    }

    /** @param Closure(mysqli): mixed $make */
    #[DataProvider('renders')]
    public function testARenderIsRefusedOfWhichNothingWasSeen(Closure $make, bool $isStored): void
    {
        $reads = new RecordedReads($this->mysqli->registry());
        $this->mysqli->tracker()->snapshot($reads, function () use ($make, $reads): void {
            $make($this->mysqli);
            $reads->atLeast('news');
        }, static fn(): null => null);

        self::assertSame($isStored, $reads->refusal() === null);
        self::assertStringContainsString($isStored ? '' : 'mysqli_query()', (string) $reads->refusal());
    }

    public function testAWriteDropsTheStoredPageThatReadItsRow(): void
    {
        $this->mysqli->query("INSERT INTO news (id, category, title) VALUES (4, 'net', 'Four'), (5, 'net', 'Five')");
        $pages = self::$directory->path . '/pages' . bin2hex(random_bytes(4));
        $store = new FilePageStore($pages, 'r1');
        $ledger = (new SqlLedger($this->mysqli, $store, 'r1'))->follow();
        $ledger->deploy();
        foreach ([4, 5] as $id) {
            self::assertSame(Publication::Stored, $this->render($ledger, $store, $id));
        }
        $writer = $this->connect();
        $ledgerOfWriter = (new SqlLedger($writer, $store, 'r1'))->follow();

        $writer->begin_transaction();
        $writer->query("UPDATE news SET title = 'Vier' WHERE id = 4");
        $isDroppedEarly = !is_file("$pages/current/news/4~page");
        $writer->commit();

        self::assertSame([true, false, true], [
            $isDroppedEarly, is_file("$pages/current/news/4~page"), is_file("$pages/current/news/5~page"),
        ]);
        $writer->query('CREATE INDEX news_views ON news (views)');
        self::assertFalse(is_file("$pages/current/news/5~page"), 'a change of the schema drops every page');
        unset($ledgerOfWriter);
    }

    /** @return iterable<string, array{int}> */
    public static function modes(): iterable
    {
        yield 'exceptions' => [MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT];
        yield 'false' => [MYSQLI_REPORT_OFF];
    }

    /** Some 240 statements, through a mysqli and through a RecordingMysqli. */
    #[DataProvider('modes')]
    public function testAnswersAreThoseOfMysqli(int $mode): void
    {
        $plain = $this->plain('twin');
        $ours = $this->mysqli;
        $statements = [];
        foreach (range(1, 12) as $n) {
            array_push(
                $statements,
                "INSERT INTO news (category, title, price, weight) VALUES ('c$n', 't$n', $n.50, $n.25)",
                "INSERT INTO news (category, title) VALUES ('c', 'a$n'), ('d', 'b$n')",
                "INSERT INTO news (id, category, title) VALUES ($n" . "00, 'c', 'explicit $n')",
                "INSERT INTO news (category, title) VALUES ('c', 't$n')",
                "UPDATE news SET views = views + 1 WHERE id = $n",
                "UPDATE news SET views = $n",
                "UPDATE news SET views = $n WHERE category = 'c'",
                "UPDATE news SET title = 't$n' WHERE id = 100000",
                "SELECT * FROM news WHERE id = $n",
                'SELECT id, title, price, weight FROM news ORDER BY id',
                'SELECT nothing FROM news',
                'SELEC 1',
                "INSERT INTO news (id, category, title) VALUES (1, 'x', 'dup $n')"
                . ' ON DUPLICATE KEY UPDATE views = views + 1',
                "REPLACE INTO news (id, category, title) VALUES (7, 'c', 'seven $n')",
                'SELECT LAST_INSERT_ID()',
                'SELECT ROW_COUNT()',
                "UPDATE news SET views = views + 1 WHERE category = 'c'",
                'SELECT ROW_COUNT()',
                "DELETE FROM news WHERE title = 'b$n'",
                'SELECT ROW_COUNT() AS n, LAST_INSERT_ID() AS id',
                'DELETE FROM news WHERE id = 100000',
                'BEGIN',
                "INSERT INTO news (category, title) VALUES ('in', 'in $n')",
                "INSERT INTO news (category, title) VALUES ('in', 'in $n')",
                "UPDATE news SET views = 5 WHERE title = 'in $n'",
                $n % 2 === 0 ? 'COMMIT' : 'ROLLBACK',
                "INSERT INTO news (title) VALUES (NULL)",
            );
        }
        array_push(
            $statements,
            'CREATE TABLE other (a INT)',
            'INSERT INTO other VALUES (1), (2)',
            'TRUNCATE other',
            'DROP TABLE other',
        );
        self::assertGreaterThan(100, \count($statements));
        mysqli_report($mode);
        foreach ($statements as $number => $sql) {
            $expected = self::answer($plain, $sql, $number);

            self::assertSame($expected, self::answer($ours, $sql, $number), $sql);
        }
    }

    /** @return array<string, mixed> */
    private static function answer(mysqli $mysqli, string $sql, int $number): array
    {
        $exception = null;
        $result = false;
        $of = [];
        try {
            if ($number % 3 === 1) {
                $prepared = $mysqli->prepare($sql);
                $result = $prepared !== false && $prepared->execute();
                if ($prepared !== false) {
                    $result = $result ? $prepared->get_result() : false;
                    $of = [$prepared->affected_rows, $prepared->insert_id, $prepared->errno, $prepared->error];
                }
            } elseif ($number % 3 === 2) {
                $result = $mysqli->real_query($sql);
                $result = $mysqli->field_count > 0 ? $mysqli->store_result() : $result;
            } else {
                $result = $mysqli->query($sql);
            }
        } catch (mysqli_sql_exception $exception) {
            $exception = [$exception->getCode(), $exception->getMessage(), $exception->getSqlState()];
        }

        return [
            'result' => $result instanceof mysqli_result ? $result->fetch_all(MYSQLI_ASSOC) : $result,
            'exception' => $exception,
            'insert_id' => $mysqli->insert_id,
            'affected_rows' => $mysqli->affected_rows,
            'errno' => $mysqli->errno,
            'error' => $mysqli->error,
            'sqlstate' => $mysqli->sqlstate,
            'statement' => $of,
        ];
    }

    private function render(SqlLedger $ledger, FilePageStore $store, int $id): Publication
    {
        $reads = new RecordedReads($this->mysqli->registry());
        $title = $ledger->snapshot($reads, function () use ($id): string {
            $result = $this->mysqli->query('SELECT title FROM news WHERE id = ' . $id);
            $title = $result instanceof mysqli_result ? $result->fetch_column() : null;

            return \is_string($title) ? $title : 'none';
        });
        self::assertNull($reads->refusal());
        $page = PagePath::of('/news/' . $id) ?? throw new LogicException('It is canonical.');
        $draft = $store->draft($page, new Response(200, [], $title));

        return $ledger->publish(
            new Registration($page->key, $draft->name, 'route', 16384, $reads, null, 1 << 30, 1 << 30),
            static fn(int $generation) => $store->stamp($draft, $generation),
            static fn(int $generation): bool => $store->publish($draft, $generation),
        );
    }
}
