<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency;

use Closure;
use Larder\Cache;
use Larder\Dependency\Change;
use Larder\Dependency\ColumnType;
use Larder\Dependency\Database\SideEffects;
use Larder\Dependency\Gates;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Larder\Dependency\RowChange;
use Larder\Dependency\Table;
use Larder\Dependency\Tracker\OneWriterRunner;
use Larder\Dependency\Tracker\Transaction;
use Larder\Dependency\Tracker\Write;
use Larder\Dependency\Tracker\Writes;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\NoTransaction;
use Larder\Exception\UnfinishedWrite;
use Larder\Page\Response;
use Larder\Proof\Support\NewsSite;
use Larder\Proof\Support\TestLog;
use Larder\Store\ArrayStore;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;
use RuntimeException;

/** A writer that tells too little, or nothing: no page may show what was before. */
#[CoversClass(OneWriterRunner::class)]
#[CoversClass(Transaction::class)]
#[CoversClass(Writes::class)]
#[CoversClass(Write::class)]
#[CoversClass(SideEffects::class)]
#[CoversClass(Change::class)]
final class UntoldWritesTest extends TestCase
{
    private const COMMENTS = 'CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER, text TEXT';

    private const CASCADE = self::COMMENTS . ', FOREIGN KEY (news_id) REFERENCES news (id)';

    private NewsSite $news;
    private RecordingPdo $database;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
        $this->database = $this->news->database;
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    /** @return iterable<string, array{Closure(self): mixed, list<string>}> a writer, and the schema that it needs */
    public static function writers(): iterable
    {
        $write = "UPDATE news SET title = 'new', category = 'web' WHERE id = 4";
        yield 'outside a transaction: exec()' => [static fn(self $test) => $test->database->exec($write), []];
        yield 'query()' => [static fn(self $test) => $test->database->query($write), []];
        yield 'prepared' => [static fn(self $test) => $test->database->prepare($write)->execute(), []];
        yield 'run()' => [static fn(self $test) => $test->database->run($write), []];
        yield 'several statements' => [
            static fn(self $test) => $test->database->exec("SELECT 1; BEGIN; $write; SELECT ';'; COMMIT"),
            [],
        ];
        yield 'in a transaction of the application' => [static function (self $test) use ($write): void {
            $test->database->beginTransaction();
            $test->database->exec($write);
            $test->database->commit();
        }, []];
        yield 'begun and committed by exec()' => [static function (self $test) use ($write): void {
            array_map($test->database->exec(...), ['BEGIN', $write, 'END TRANSACTION']);
        }, []];
        yield 'begun and released by a savepoint' => [static function (self $test) use ($write): void {
            array_map(
                $test->database->exec(...),
                ['SAVEPOINT a', 'SAVEPOINT b', $write, 'RELEASE b', 'RELEASE a'],
            );
        }, []];
        yield 'committed by query()' => [static function (self $test) use ($write): void {
            $test->database->beginTransaction();
            $test->database->exec($write);
            $test->database->query('COMMIT');
        }, []];
        yield 'in a transaction of the ledger' => [
            static fn(self $test) => $test->transaction(static fn() => $test->database->exec($write)),
            [],
        ];
        yield 'a statement that nobody understands' => [static function (self $test) use ($write): void {
            $test->database->beginTransaction();
            $test->database->exec("$write\0 and more");
            $test->database->commit();
        }, []];
        yield 'a write with an exception after it, which is caught' => [
            static fn(self $test) => $test->transaction(static function () use ($test, $write): void {
                $test->caught(static function () use ($test, $write): never {
                    $test->database->exec($write);
                    throw new RuntimeException('no');
                });
            }),
            [],
        ];
        yield 'an insert with an exception after it, which is caught' => [
            static fn(self $test) => $test->transaction(static function () use ($test): void {
                $test->caught(static function () use ($test): never {
                    $test->database->exec("INSERT INTO comment VALUES (9, 4, 'more')");
                    throw new RuntimeException('no');
                });
            }),
            [],
        ];
        yield 'before() without row()' => [
            static fn(self $test) => $test->transaction(static function (RowChange $change) use ($test, $write): void {
                $change->before('news', 4);
                $test->database->exec($write);
            }),
            [],
        ];
        yield 'open() and nothing told' => [static function (self $test) use ($write): void {
            $test->database->beginTransaction();
            $test->news->ledger(database: $test->database)->open();
            $test->database->exec($write);
            $test->database->commit();
        }, []];
        yield 'a write after the change was made known' => [static function (self $test) use ($write): void {
            $ledger = $test->news->ledger(database: $test->database);
            $test->database->beginTransaction();
            $change = $ledger->open();
            $ledger->change($change);
            $test->database->exec($write);
            $test->database->commit();
        }, []];
        yield 'a change that was told in the transaction before' => [static function (self $test) use ($write): void {
            $ledger = $test->news->ledger(database: $test->database);
            $test->database->beginTransaction();
            $change = $ledger->open();
            $change->name('news:4', trust: true);
            $test->database->exec("UPDATE news SET title = 'x' WHERE id = 4");
            $ledger->change($change);
            $test->database->commit();
            $test->storePages();
            $test->database->beginTransaction();
            $change->before('news', 4);
            $test->database->exec($write);
            $ledger->change($change);
            $test->database->commit();
        }, []];
        yield 'a write before another of the same row' => [
            static fn(self $test) => $test->transaction(static function (RowChange $change) use ($test, $write): void {
                $change->before('news', 4);
                $test->database->exec($write);
                $test->database->exec("UPDATE news SET category = 'mail' WHERE id = 4");
            }),
            [],
        ];
        $move = "UPDATE news SET category = 'mail' WHERE id = 4";
        yield 'a write after it' => [
            static fn(self $test) => $test->transaction(static function () use (
                $test,
                $move,
                $write,
            ): void {
                $test->database->exec($move);
                $test->database->exec($write);
            }),
            [],
        ];
        yield 'a write after it, to the row that is watched again' => [
            static fn(self $test) => $test->transaction(static function (RowChange $change) use (
                $test,
                $move,
                $write,
            ): void {
                $test->database->exec($move);
                $change->before('news', 4);
                $test->database->exec($write);
            }),
            [],
        ];
        yield 'a REPLACE that removes another row' => [
            static fn(self $test) => $test->transaction(
                static fn() => $test->database->exec("REPLACE INTO news VALUES (4, 'net', 'Bob', 'five')"),
            ),
            ['CREATE UNIQUE INDEX title ON news (title)'],
        ];
        yield 'a write with parameters' => [
            static fn(self $test) => $test->transaction(
                static fn() => $test->database->run('UPDATE news SET title = ? WHERE id = ?', ['new', 4]),
            ),
            [],
        ];
        foreach ([
            'key' => 'UPDATE news SET id = 9',
            'rowid' => "UPDATE news SET title = 'x', rowid = 9",
            'key among others' => "UPDATE news SET (title, \"ID\") = ('x', 9)",
        ] as $key => $move) {
            yield "an UPDATE of the row that another one becomes by its $key" => [
                static fn(self $test) => $test->transaction(static fn() => $test->database->exec("$move WHERE id = 4")),
                [],
            ];
            yield "an UPDATE that gives the row another $key" => [
                static fn(self $test) => $test->transaction(
                    static fn() => $test->database->exec("$move, category = 'web' WHERE id = 4"),
                ),
                [],
            ];
        }
        yield 'an UPDATE of all rows' => [
            static fn(self $test) => $test->transaction(
                static fn() => $test->database->exec("UPDATE news SET category = 'mail', title = 'new'"),
            ),
            [],
        ];
        yield 'an insert with a key' => [
            static fn(self $test) => $test->transaction(
                static fn() => $test->database->exec("INSERT INTO news VALUES (9, 'net', 'Eve', 'nine')"),
            ),
            [],
        ];
        foreach ([
            'an upsert' => "INSERT INTO news VALUES (4, 'web', 'Bob', 'new') ON CONFLICT (id) DO UPDATE SET"
                . ' category = excluded.category, title = excluded.title',
            'a REPLACE that removes another row' => "REPLACE INTO news VALUES (9, 'web', 'Eve', 'four')",
            'an INSERT OR REPLACE' => "INSERT OR REPLACE INTO news VALUES (9, 'web', 'Eve', 'four')",
        ] as $what => $insert) {
            yield "$what, whose key is asked for" => [
                static fn(self $test) => $test->transaction(static function () use ($test, $insert): int {
                    $test->database->exec($insert);

                    return (int) $test->database->lastInsertId();
                }),
                ['CREATE UNIQUE INDEX title ON news (title)'],
            ];
        }
        yield 'an insert into a table that replaces' => [
            static fn(self $test) => $test->transaction(
                static fn() => $test->database->exec("INSERT INTO comment VALUES (9, 5, 'first')"),
            ),
            ['DROP TABLE comment', self::COMMENTS . ' UNIQUE ON CONFLICT REPLACE)'],
        ];
        foreach (['CASCADE', 'SET NULL'] as $action) {
            yield "a DELETE with ON DELETE $action" => [
                static fn(self $test) => $test->transaction(
                    static fn() => $test->database->exec('DELETE FROM news WHERE id = 4'),
                ),
                ['DROP TABLE comment', self::CASCADE . " ON DELETE $action)", 'PRAGMA foreign_keys = ON'],
            ];
        }
        yield 'an UPDATE of a key with ON UPDATE CASCADE' => [
            static fn(self $test) => $test->transaction(
                static fn() => $test->database->exec('UPDATE news SET id = 6 WHERE id = 4'),
            ),
            ['DROP TABLE comment', self::CASCADE . ' ON UPDATE CASCADE)', 'PRAGMA foreign_keys = ON'],
        ];
        $trigger = "CREATE TRIGGER count AFTER UPDATE ON news BEGIN UPDATE comment SET text = 'seen; ' || text; END";
        yield 'a trigger' => [
            static fn(self $test) => $test->transaction(
                static fn() => $test->database->exec("UPDATE news SET author = 'x' WHERE id = 4"),
            ),
            [$trigger],
        ];
        yield 'a trigger that came by another connection' => [static function (self $test) use ($trigger): void {
            $test->database->exec('UPDATE news SET author = author WHERE id = 4');
            $test->news->connect()->exec($trigger);
            $test->storePages();
            $test->transaction(static fn() => $test->database->exec("UPDATE news SET author = 'x' WHERE id = 4"));
        }, []];
        yield 'a view with a trigger, of a table that nobody declares' => [
            static fn(self $test) => $test->database->exec("INSERT INTO latest VALUES ('new')"),
            [
                'CREATE VIEW latest AS SELECT title FROM news',
                'CREATE TRIGGER take INSTEAD OF INSERT ON latest BEGIN UPDATE news SET title = NEW.title; END',
            ],
        ];
        yield 'name() of a row leaves out its sets' => [
            static fn(self $test) => $test->transaction(static function (Change $change) use ($test, $write): void {
                $change->name('news:4');
                $test->database->exec($write);
            }),
            [],
        ];
        yield 'name() of a row that another connection wrote' => [static function (self $test) use ($write): void {
            $elsewhere = new \PDO('sqlite:' . $test->news->directory->path . '/site.sqlite');
            $elsewhere->exec($write);
            $test->transaction(static fn(Change $change) => $change->name('news:4'));
        }, []];
        yield 'a cache with gates alone' => [static function (self $test) use ($write): void {
            $store = new ArrayStore();
            $cache = new Cache($store, new Gates($store, $test->database));
            $cache->change(['news'], static fn() => $test->database->exec($write));
        }, []];
        yield 'a render that writes' => [static function (self $test) use ($write): void {
            $test->news->get('/writes', static function () use ($test, $write): Response {
                $test->database->exec($write);

                return NewsSite::html('x');
            });
        }, []];
        yield 'a process with another registry, which does not know the table' => [static function (self $test): void {
            $registry = new Registry(new Table('news', 'id', ['id' => ColumnType::Integer]));
            $old = $test->connection($registry);
            $test->news->ledger(database: $old);
            $old->exec("UPDATE comment SET text = 'other'");
        }, []];
        yield 'a table that is dropped' => [static fn(self $test) => $test->database->exec(
            'DROP TABLE comment; ' . self::COMMENTS . ')',
        ), []];
    }

    /**
     * @param Closure(self): mixed $write
     * @param list<string>         $schema
     */
    #[DataProvider('writers')]
    public function testNoPageOutlivesAWriteThatNobodyTold(Closure $write, array $schema): void
    {
        array_map($this->database->exec(...), $schema);
        $this->database->exec("INSERT INTO comment VALUES (1, 4, 'first')");
        $before = $this->storePages();
        $write($this);

        $after = array_map(static fn(Closure $page): string => $page()->body, $this->pages());
        self::assertNotSame($before, $after, 'The writer changes something.');
        foreach ($after as $key => $body) {
            $stored = @file_get_contents($this->news->site->pages . '/current' . $key . '~page');
            self::assertContains($stored, [false, $body], $key);
        }
        self::assertFalse($this->database->inTransaction());
    }

    /** @return iterable<string, array{Closure(self): mixed}> */
    public static function exactWriters(): iterable
    {
        yield 'two statements on the row' => [static fn(self $test) => $test->transaction(
            static function () use ($test): void {
                $test->database->exec("UPDATE news SET title = 'a' WHERE id = 4");
                $test->database->exec("UPDATE news SET title = 'b' WHERE id = 4");
            },
        )];
        foreach ([
            'a number' => static fn(RecordingPdo $pdo) => $pdo->exec('UPDATE news SET title = title WHERE id = 4'),
            'run()' => static fn(RecordingPdo $pdo) => $pdo->run('UPDATE news SET title = ? WHERE id = ?', ['four', 4]),
            'execute()' => static fn(RecordingPdo $pdo) => $pdo->prepare(
                'UPDATE news SET title = :title WHERE news.id = :Id',
            )->execute(['title' => 'four', ':Id' => 4]),
            'bindParam()' => static function (RecordingPdo $pdo): void {
                $statement = $pdo->prepare('UPDATE news SET title = title WHERE "id" = ?');
                $id = 3;
                $statement->bindParam(1, $id);
                $id = '4';
                $statement->execute();
            },
        ] as $how => $same) {
            yield "a row that stays as it is, by $how" => [static fn(self $test) => $test->transaction(
                static function () use ($test, $same): void {
                    $test->database->exec("UPDATE news SET category = 'mail' WHERE id = 4");
                    $same($test->database);
                },
            )];
        }
        yield 'two updates of it' => [static fn(self $test) => $test->transaction(static function () use (
            $test,
        ): void {
            foreach (['mail', 'net'] as $category) {
                $test->database->exec("UPDATE news SET category = '$category' WHERE id = 4");
            }
        })];
        yield 'a plain insert with RETURNING' => [static fn(self $test) => $test->transaction(
            static function () use ($test): int {
                $insert = "INSERT INTO news (category, title) VALUES ('net', 'x') RETURNING id, title";
                $id = $test->database->query($insert)->fetchColumn();

                return \is_int($id) ? $id : 0;
            },
        )];
        yield 'row() with an old row that was read' => [static fn(self $test) => $test->transaction(
            static function (RowChange $change) use ($test): void {
                $before = $change->before('news', 4);
                $test->database->exec("UPDATE news SET title = 'new' WHERE id = 4");
                $change->row('news', $before, $before);
            },
        )];
        yield 'a name that is trusted' => [static fn(self $test) => $test->transaction(
            static function (Change $change) use ($test): void {
                $test->database->exec("UPDATE news SET title = 'a' WHERE category = 'net'");
                $change->name('news:4', trust: true);
                $change->name('news?category=net', trust: true);
            },
        )];
        yield 'a name that a statement emits too' => [static fn(self $test) => $test->transaction(
            static function (Change $change) use ($test): void {
                $change->name('news:4');
                $title = "UPDATE news SET title = 'x' WHERE id = 4";
                $test->database->exec($title);
            },
        )];
        yield 'a foreign key that nothing enforces' => [static function (self $test): void {
            $test->database->exec('PRAGMA foreign_keys = OFF');
            $test->transaction(static fn() => $test->database->exec('DELETE FROM news WHERE id = 4'));
        }];
    }

    /** @param Closure(self): mixed $write */
    #[DataProvider('exactWriters')]
    public function testAChangeThatIsToldDropsNothingElse(Closure $write): void
    {
        $this->database->exec('DROP TABLE comment; ' . self::CASCADE . ' ON DELETE CASCADE)');
        $this->database->exec("INSERT INTO comment VALUES (1, 4, 'first')");
        $this->storePages();
        $write($this);

        self::assertFalse($this->news->stores('/net'));
        self::assertTrue($this->news->stores('/web'));
        self::assertTrue($this->news->stores('/comments'));
    }

    public function testWhatCannotBeFollowedAndIsNotToldIsLoggedOnce(): void
    {
        $log = new TestLog();
        $this->database->exec("INSERT INTO comment VALUES (1, 4, 'first')");
        $database = $this->connection($this->news->registry, $log);
        $ledger = $this->news->ledger(database: $database);
        for ($time = 0; $time < 2; ++$time) {
            $database->exec("UPDATE news SET title = 'x' WHERE id = (SELECT 4)");
            $database->exec("UPDATE news SET title = 'x' WHERE id = 4");
            $ledger->transaction(static fn() => $database->exec("REPLACE INTO comment VALUES (1, 4, 'x')"));
        }
        $ledger->transaction(static function (RowChange $change) use ($database): void {
            $database->exec('DELETE FROM comment WHERE id IN (SELECT 1)');
            $change->bulk('comment');
        });

        self::assertCount(2, $log->lines());
        self::assertStringContainsString('made from news was dropped', $log->lines()[0]);
        self::assertStringContainsString('made from comment was dropped', $log->lines()[1]);
    }

    public function testAConnectionThatKnowsNoLedgerMayNotWriteWhatPagesAreMadeFrom(): void
    {
        $database = $this->connection($this->news->registry);
        $database->exec('CREATE TABLE visit (at TEXT)');
        foreach ([
            'visit' => "INSERT INTO visit VALUES ('now')",
            'news' => "UPDATE news SET title = 'lost'",
        ] as $table => $write) {
            try {
                $database->exec($write);
                self::fail('Nobody was told.');
            } catch (LedgerUnavailable $exception) {
                self::assertStringContainsString('made from ' . $table, $exception->getMessage());
                self::assertStringContainsString('Pages::of($site)->connect()', $exception->getMessage());
            }
        }
        self::assertSame('four', Ledgered::title($this->database));
    }

    /** @return iterable<string, array{string, Closure(RecordingPdo): mixed}> schema, and a statement that ends it */
    public static function endings(): iterable
    {
        yield 'INSERT OR ROLLBACK' => [
            'SELECT 1',
            static fn(RecordingPdo $pdo) => $pdo->exec("INSERT OR ROLLBACK INTO news VALUES (4, 'a', 'b', 'c')"),
        ];
        yield 'RAISE(ROLLBACK)' => [
            "CREATE TRIGGER never BEFORE DELETE ON news BEGIN SELECT RAISE(ROLLBACK, 'never'); END",
            static fn(RecordingPdo $pdo) => $pdo->prepare('DELETE FROM news')->execute(),
        ];
        yield 'rollBack()' => ['SELECT 1', static fn(RecordingPdo $pdo) => $pdo->rollBack()];
    }

    /** @param Closure(RecordingPdo): mixed $end */
    #[DataProvider('endings')]
    public function testNothingIsWrittenBehindATransactionThatIsOver(string $schema, Closure $end): void
    {
        $this->database->exec("CREATE TABLE other (a); $schema");
        foreach (["UPDATE news SET title = 'behind'", "INSERT INTO other VALUES ('behind')", 'SELECT 1'] as $behind) {
            try {
                $this->transaction(function () use ($end, $behind): void {
                    $this->database->exec("UPDATE news SET title = 'first' WHERE id = 4");
                    $this->caught(fn() => $end($this->database));
                    self::assertFalse($this->database->inTransaction());
                    $this->database->exec($behind);
                });
                self::fail('It went on.');
            } catch (NoTransaction $exception) {
                self::assertStringContainsString('over', $exception->getMessage());
            }
            self::assertSame('four', Ledgered::title($this->database));
            self::assertSame([], $this->database->select('SELECT * FROM other', []));
        }

        $this->storePages();
        $this->database->beginTransaction();
        $this->caught(fn() => $end($this->database));
        $this->database->exec("UPDATE news SET title = 'by itself' WHERE id = 4");
        self::assertFalse($this->news->stores('/row'), 'A statement of its own is made known as one.');
    }

    public function testNorWhereThereIsNoLedger(): void
    {
        $database = new RecordingPdo('sqlite::memory:', $this->news->registry);
        $database->exec('CREATE TABLE news (id)');
        $this->expectException(NoTransaction::class);
        try {
            (new Gates(new ArrayStore(), $database))->change(['news'], static function () use ($database): void {
                $database->rollBack();
                $database->exec('INSERT INTO news VALUES (4)');
            });
        } finally {
            self::assertSame([], $database->select('SELECT * FROM news', []));
        }
    }

    public function testTheClosureOfATransactionDoesNotCommitIt(): void
    {
        foreach ([
            fn() => $this->database->exec('COMMIT'),
            fn() => $this->database->query('end'),
            fn() => $this->database->commit(),
        ] as $commit) {
            try {
                $this->transaction(function () use ($commit): void {
                    $this->database->exec("UPDATE news SET title = 'x' WHERE id = 4");
                    $commit();
                });
                self::fail('It was committed inside.');
            } catch (NoTransaction $exception) {
                self::assertStringContainsString('not inside it', $exception->getMessage());
            }
            self::assertSame('four', Ledgered::title($this->database));
        }
    }

    public function testAGeneratorWouldRunAfterCommit(): void
    {
        $store = new ArrayStore();
        foreach ([
            fn() => $this->transaction(fn(): mixed => $this->late()),
            fn() => (new Gates($store, $this->database))->change(['news'], fn(): mixed => $this->late()),
            fn() => (new Gates($store))->change(['news'], fn(): mixed => $this->late()),
        ] as $change) {
            try {
                $change();
                self::fail('It was taken.');
            } catch (UnfinishedWrite $exception) {
                self::assertStringContainsString('Generator', $exception->getMessage());
            }
        }
        self::assertFalse($this->database->inTransaction());
    }

    public function testRowsOfAWriteThatIsNotOverNeedATransaction(): void
    {
        $this->storePages();
        $update = "UPDATE news SET title = 'x' WHERE id = 4 RETURNING title";
        try {
            $this->database->query($update);
            self::fail('It cannot be made known in time.');
        } catch (NoTransaction $exception) {
            self::assertStringContainsString('beginTransaction()', $exception->getMessage());
        }
        $this->database->beginTransaction();
        self::assertSame('x', $this->database->query($update)->fetchColumn());
        $this->database->commit();
        self::assertFalse($this->news->stores('/row'));
    }

    public function testAStatementThatFailsOutsideATransactionLeavesNoneOpen(): void
    {
        $this->caught(fn() => $this->database->exec("INSERT INTO news VALUES (4, 'a', 'b', 'c')"), PDOException::class);
        self::assertFalse($this->database->inTransaction());
        self::assertSame(1, $this->database->exec("INSERT INTO news VALUES (6, 'a', 'b', 'c')"));
        self::assertSame('6', $this->database->lastInsertId());
    }

    /** @param Closure(RowChange): mixed $write */
    private function transaction(Closure $write): mixed
    {
        return $this->news->ledger(database: $this->database)->transaction($write);
    }

    private function late(): mixed
    {
        return (function (): iterable {
            yield $this->database->exec("UPDATE news SET title = 'late' WHERE id = 4");
        })();
    }

    /** @return array<string, string> body by key */
    private function storePages(): array
    {
        $bodies = [];
        foreach ($this->pages() as $key => $page) {
            $bodies[$key] = $this->news->get($key, $page)->body;
            self::assertTrue($this->news->stores($key));
        }

        return $bodies;
    }

    /** @return array<string, Closure(): Response> by key */
    private function pages(): array
    {
        $names = $this->news->registry;
        $page = fn(string $sql, string $name): Closure => fn(): Response => NewsSite::html(
            (string) json_encode($this->database->select($sql, [], $names->parse($name))),
        );

        return [
            '/row' => $page('SELECT title, category FROM news WHERE id = 4', 'news:4'),
            '/net' => $page("SELECT id, title FROM news WHERE category = 'net'", 'news?category=net'),
            '/web' => $page("SELECT id, title FROM news WHERE category = 'web'", 'news?category=web'),
            '/comments' => $page('SELECT text FROM comment WHERE news_id = 4', 'comment?news_id=4'),
            '/comment' => $page('SELECT news_id, text FROM comment WHERE id = 1', 'comment:1'),
        ];
    }

    private function connection(Registry $registry, ?TestLog $log = null): RecordingPdo
    {
        return new RecordingPdo(
            'sqlite:' . $this->news->directory->path . '/site.sqlite',
            $registry,
            logger: $log ?? new NullLogger(),
        );
    }

    /**
     * @param Closure(): mixed             $do
     * @param class-string<RuntimeException> $class
     */
    private function caught(Closure $do, string $class = RuntimeException::class): void
    {
        try {
            $do();
        } catch (RuntimeException $exception) {
            self::assertInstanceOf($class, $exception);
        }
    }
}
