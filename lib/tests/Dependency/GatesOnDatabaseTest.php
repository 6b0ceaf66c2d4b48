<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency;

use Closure;
use Larder\Cache;
use Larder\Dependency\Change;
use Larder\Dependency\Gate\WriterGates;
use Larder\Dependency\Gates;
use Larder\Dependency\LedgerSource;
use Larder\Dependency\PdoSource;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\RowChange;
use Larder\Dependency\TrackedSource;
use Larder\Dependency\Unstored;
use Larder\Exception\ChangeFailed;
use Larder\Exception\NoTransaction;
use Larder\Exception\UnknownName;
use Larder\Proof\Support\NewsSite;
use Larder\Store\ArrayStore;
use Larder\Tests\Cache\HookedStore;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RuntimeException;
use ValueError;

/** Gates beside a real database: by a ledger, by a RecordingPdo, by a PDO that knows nothing. */
#[CoversClass(Gates::class)]
#[CoversClass(WriterGates::class)]
#[CoversClass(LedgerSource::class)]
#[CoversClass(PdoSource::class)]
#[CoversClass(RowChange::class)]
#[CoversClass(TrackedSource::class)]
#[CoversClass(RecordingPdo::class)]
#[CoversClass(Change::class)]
final class GatesOnDatabaseTest extends TestCase
{
    private NewsSite $news;
    private ArrayStore $array;
    private HookedStore $store;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
        $this->array = new ArrayStore();
        $this->store = new HookedStore($this->array);
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    /** @return iterable<string, array{Closure(self): Gates}> */
    public static function modes(): iterable
    {
        yield 'ledger' => [
            static fn(self $test): Gates => new Gates(
                $test->store,
                ledger: $test->news->ledger(database: $test->news->database),
            ),
        ];
        yield 'recorded' => [static fn(self $test): Gates => new Gates($test->store, $test->news->database)];
        yield 'plain' => [
            static fn(self $test): Gates => new Gates($test->store, $test->plain(), registry: $test->news->registry),
        ];
    }

    /** @param Closure(self): Gates $mode */
    #[DataProvider('modes')]
    public function testTheTransactionIsOurs(Closure $mode): void
    {
        $gates = $mode($this);
        $cache = new Cache($this->store, $gates);
        $cache->remember('k', fn(): string => $this->seen(), reads: ['news:4']);
        $given = uniqid();
        $made = $gates->change(['news?category=net'], function (Change $change) use ($given): string {
            $change->name('news:4');
            $this->write('new');
            self::assertSame('four', $this->seen(), 'not yet');

            return $given;
        });
        self::assertSame($given, $made);
        self::assertFalse($cache->has('k'));
        self::assertSame('new', $cache->remember('k', fn(): string => $this->seen(), reads: ['news:4']));
        self::assertTrue($cache->has('k'));
    }

    /** @param Closure(self): Gates $mode */
    #[DataProvider('modes')]
    public function testItIsRolledBackIfAGateIsLostBeforeCommit(Closure $mode): void
    {
        $gates = $mode($this);
        try {
            $gates->change(['news:4'], function (): void {
                $this->write('never');
                $this->array->delete("\0vnews:4");
            });
            self::fail('It was committed.');
        } catch (ChangeFailed) {
            self::assertSame('four', $this->seen());
        }
        $gates->change(['news:4'], fn() => $this->write('now'));
        self::assertSame('now', $this->seen());
    }

    /** @param Closure(self): Gates $mode */
    #[DataProvider('modes')]
    public function testItIsRolledBackIfTheWriteFails(Closure $mode): void
    {
        $gates = $mode($this);
        try {
            $gates->change(['news:4'], function (): never {
                $this->write('never');
                throw new RuntimeException('no');
            });
        } catch (RuntimeException $exception) {
            self::assertSame('no', $exception->getMessage());
        }

        self::assertSame('four', $this->seen());
        self::assertNotNull($gates->make(static fn(): int => 1, ['news:4'], null)->stamps, 'nothing is closed');
    }

    /** @param Closure(self): Gates $mode */
    #[DataProvider('modes')]
    public function testWhatIsToldInsideIsClosedBeforeCommit(Closure $mode): void
    {
        $gates = $mode($this);
        $cache = new Cache($this->store, $gates);
        foreach (['news:4', 'news?category=net', 'news'] as $name) {
            $cache->remember($name, fn(): string => $this->seen(), reads: [$name]);
        }
        $this->store->on('increment', function (string $key, mixed $by): void {
            self::assertSame($by === 1 ? 'new' : $this->seen(), $this->seen(), 'the counter is moved after COMMIT');
            foreach (['news:4', 'news?category=net', 'news'] as $name) {
                self::assertIsArray($this->array->get("\0v$name"));
            }
        });
        $gates->change([], function (Change $change): void {
            $change->name('news:4');
            $change->name('news?category=net');
            $this->write('new');
        });

        foreach (['news:4', 'news?category=net', 'news'] as $name) {
            self::assertFalse($cache->has($name));
        }
    }

    /** @param Closure(self): Gates $mode */
    #[DataProvider('modes')]
    public function testABulkChangeEndsEveryReadOfTheTable(Closure $mode): void
    {
        $gates = $mode($this);
        $cache = new Cache($this->store, $gates);
        $cache->remember('k', fn(): string => $this->seen(), reads: ['news:4']);
        $cache->remember('c', static fn(): int => 1, reads: ['comment:4']);
        $gates->change([], static fn(Change $change) => $change->name('news!'));

        self::assertSame([false, true], [$cache->has('k'), $cache->has('c')]);
    }

    /** @param Closure(self): Gates $mode */
    #[DataProvider('modes')]
    public function testAValueMadeInATransactionIsNotStored(Closure $mode): void
    {
        $gates = $mode($this);
        $database = $gates->watchesAll() ? $this->news->database : $this->plain();
        $database->beginTransaction();
        self::assertSame('a transaction is open', $gates->make(static fn(): int => 1, ['news:4'], null)->refusal);
        $database->rollBack();
        self::assertSame(
            $gates->watchesAll() ? 'a statement is no SELECT' : 'it left a transaction open',
            $gates->make(static fn(): bool => $database->beginTransaction(), ['news:4'], null)->refusal,
        );
        try {
            $gates->change([], static fn(): int => 1);
            self::fail('It was nested.');
        } catch (NoTransaction $exception) {
            self::assertStringContainsString('one is open already', $exception->getMessage());
        }
        $database->rollBack();
        self::assertNotNull($gates->make(static fn(): int => 1, ['news:4'], null)->stamps);
    }

    public function testAHitInATransactionIsServedUntilItWrites(): void
    {
        $cache = new Cache($this->store, new Gates($this->store, $this->news->database));
        $database = $this->news->database;
        $cache->remember('k', fn(): string => $this->seen(), reads: ['news:4']);
        foreach ([
            static fn(): mixed => $database->exec("UPDATE news SET title = 'mine' WHERE id = 4"),
            static fn(): mixed => $database->query("UPDATE news SET title = 'mine' WHERE id = 4"),
            static fn(): mixed => $database->prepare("UPDATE news SET title = 'mine' WHERE id = 4")->execute(),
            static fn(): mixed => $database->run("UPDATE news SET title = 'mine' WHERE id = 4"),
            static fn(): mixed => $database->exec('SAVEPOINT unclear'),
        ] as $write) {
            $database->beginTransaction();
            $database->query('SELECT title FROM news');
            self::assertFalse($database->wrote());
            self::assertTrue($cache->has('k'));
            $write();
            self::assertTrue($database->wrote());
            self::assertFalse($cache->has('k'));
            $database->rollBack();
            self::assertFalse($database->wrote());
            self::assertTrue($cache->has('k'));
        }
    }

    public function testAConnectionThatKnowsNothingServesNothingInATransaction(): void
    {
        $cache = new Cache($this->store, new Gates($this->store, $this->plain(), registry: $this->news->registry));
        $cache->remember('k', fn(): string => $this->seen(), reads: ['news:4']);
        $this->plain()->beginTransaction();
        self::assertFalse($cache->has('k'));
        $this->plain()->rollBack();
        self::assertTrue($cache->has('k'));
    }

    public function testWhatIsReadThroughTheConnectionIsRecorded(): void
    {
        $database = $this->news->database;
        $gates = new Gates($this->store, $database);
        $names = static fn(Closure $compute): array => array_map(
            static fn(string $key): string => substr($key, 2),
            array_keys($gates->make($compute, [], null)->stamps ?? []),
        );

        self::assertSame(['news:4', 'news!'], $names(static fn() => Ledgered::title($database)));
        self::assertSame(['comment', 'comment!'], $names(static fn() => $database->query('SELECT * FROM comment')));
        self::assertSame([], $names(static fn() => $database->prepare('SELECT * FROM comment')));
        self::assertSame(
            ['news:4', 'news!'],
            $names(static fn() => $gates->make(static fn() => Ledgered::title($database), [], null)),
        );
        self::assertSame(
            'a statement writes',
            $gates->make(static fn() => $database->exec("UPDATE news SET title = 'x'"), [], null)->refusal,
        );
    }

    public function testANameIsStampedBeforeItsDataIsRead(): void
    {
        $gates = new Gates($this->store, $this->news->database);
        $made = $gates->make(function (): string {
            $title = Ledgered::title($this->news->database);
            self::assertIsInt($this->array->get("\0vnews:4"));
            (new Gates($this->array, $this->news->connect()))->change(['comment:1'], static fn(): int => 1);

            return $title;
        }, [], null);
        self::assertNotNull($made->stamps, 'so a change of something else does no harm');

        $made = $gates->make(function (): string {
            $title = Ledgered::title($this->news->database);
            $other = $this->news->connect();
            (new Gates($this->array, $other))->change(['news:4'], static fn() => Ledgered::write($other, 'new'));

            return $title;
        }, [], null);
        self::assertSame(['four', null, Unstored::Changed], [$made->value, $made->stamps, $made->why]);
    }

    public function testAnInnerValueBringsTheVersionsThatItBeganWith(): void
    {
        $gates = new Gates($this->store, $this->news->database);
        $made = $gates->make(function () use ($gates): string {
            return $gates->make(function (): string {
                $title = Ledgered::title($this->news->database);
                $other = $this->news->connect();
                (new Gates($this->array, $other))->change(['news:4'], static fn() => Ledgered::write($other, 'new'));

                return $title;
            }, [], null)->value;
        }, [], null);

        self::assertSame(['four', null], [$made->value, $made->stamps]);
    }

    public function testARowIsReadUnderTheLock(): void
    {
        $gates = new Gates($this->store, $this->news->database);
        $stamps = array_map(
            static fn(string $name): array => $gates->make(static fn(): int => 1, [$name], null)->stamps ?? [],
            ['news?category=net', 'news?category=new', 'news?category=web'],
        );
        $opened = [];
        $gates->change([], function (Change $change) use (&$opened): void {
            $opened[] = $change;
            $before = $change instanceof RowChange ? $change->before('news', 4) : null;
            $this->news->database->run("UPDATE news SET category = 'new' WHERE id = 4");
            self::assertSame('net', $before['category'] ?? null);
        });
        self::assertSame([false, false, true], $gates->hold($stamps));
        (new Gates($this->store, $this->plain(), registry: $this->news->registry))->change(
            [],
            static function (Change $change) use (&$opened): void {
                $opened[] = $change;
            },
        );

        self::assertSame([RowChange::class, Change::class], array_map(get_class(...), $opened));
    }

    /** Taken for a PDO, it would end nothing that its statements change, without any error. */
    #[DataProvider('tracked')]
    public function testARecordingPdoIsAskedForItsSourceAndNotTakenForAPdo(bool $hasLedger, bool $isTold): void
    {
        $database = $this->news->database;
        $gates = new Gates(
            $this->store,
            $database,
            ledger: $hasLedger ? $this->news->ledger(database: $database) : null,
            inTransaction: $isTold ? static fn(): bool => false : null,
        );
        $made = $gates->make(fn(): string => Ledgered::title($database), [], null);
        self::assertContains('news:4', $gates->names($made->stamps ?? []));
        self::assertTrue($gates->hold([$made->stamps ?? []])[0]);

        (new Gates($this->array, $database))->change([], static fn() => Ledgered::write($database, 'new'));

        self::assertFalse($gates->hold([$made->stamps ?? []])[0]);
    }

    /** @return iterable<string, array{bool, bool}> */
    public static function tracked(): iterable
    {
        yield 'a connection' => [false, false];
        yield 'a connection whose transactions are told' => [false, true];
        yield 'a connection and its ledger' => [true, false];
    }

    public function testNamesAreThoseOfTheRegistry(): void
    {
        $gates = new Gates($this->store, $this->news->database);
        $stamps = $gates->make(static fn(): int => 1, ['NEWS:04', 'news?category=a%20b'], null)->stamps ?? [];
        self::assertSame(["\0vnews:4", "\0vnews!", "\0vnews?category=a%20b"], array_keys($stamps));

        $this->expectException(UnknownName::class);
        $gates->make(static fn(): int => 1, ['nws:4'], null);
    }

    public function testOneChangeEndsPagesAndValues(): void
    {
        $gates = new Gates($this->store, ledger: $this->news->ledger(database: $this->news->database));
        $stamps = $gates->make(fn(): string => Ledgered::title($this->news->database), [], null)->stamps ?? [];
        $this->news->get('/news/4');
        self::assertTrue($this->news->stores('/news/4'));
        $gates->change(['news:4'], fn() => $this->write('new'));

        self::assertFalse($this->news->stores('/news/4'));
        self::assertSame([false], $gates->hold([$stamps]));
    }

    public function testIfCommitCannotBeSettledTheGatesStayClosed(): void
    {
        $connection = new class (
            'sqlite:' . $this->news->directory->path . '/site.sqlite',
            $this->news->registry,
        ) extends RecordingPdo {
            public bool $broken = false;

            public function commit(): bool
            {
                return $this->broken ? throw new RuntimeException('gone away') : parent::commit();
            }

            public function rollBack(): bool
            {
                return $this->broken ? throw new RuntimeException('gone away') : parent::rollBack();
            }
        };
        foreach ([
            new Gates($this->store, $connection),
            new Gates($this->store, ledger: $this->news->ledger(database: $connection)),
        ] as $gates) {
            $connection->broken = true;
            try {
                $gates->change(['news:4'], static fn() => Ledgered::write($connection, 'who knows'));
                self::fail('It came through.');
            } catch (RuntimeException $exception) {
                self::assertSame('gone away', $exception->getMessage());
            }
            self::assertIsArray($this->array->get("\0vnews:4"));
            $this->array->clear();
            $connection->broken = false;
            $connection->rollBack();
        }
    }

    public function testTheConnectionIsTheLedgers(): void
    {
        $this->expectException(ValueError::class);
        new Gates($this->store, $this->plain(), $this->news->ledger);
    }

    private ?PDO $plain = null;

    private function plain(): PDO
    {
        return $this->plain ??= new PDO('sqlite:' . $this->news->directory->path . '/site.sqlite');
    }

    private function seen(): string
    {
        return Ledgered::title($this->news->connect());
    }

    /** On the connection that has a transaction open. */
    private function write(string $title): void
    {
        $this->plain?->inTransaction() === true
            ? $this->plain->exec("UPDATE news SET title = '$title' WHERE id = 4")
            : Ledgered::write($this->news->database, $title);
    }
}
