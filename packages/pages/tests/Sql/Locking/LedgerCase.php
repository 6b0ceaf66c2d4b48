<?php

declare(strict_types=1);

namespace Larder\Tests\Sql\Locking;

use Closure;
use Fiber;
use Larder\Dependency\Change;
use Larder\Dependency\Name;
use Larder\Exception\LarderException;
use Larder\Exception\NoTransaction;
use Larder\Page\FilePageStore;
use Larder\Page\PagePath;
use Larder\Page\Response;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Ledger\AnnouncedChange;
use Larder\Sql\Ledger\LedgerVersions;
use Larder\Sql\Ledger\LockingIndex;
use Larder\Sql\Ledger\LockingState;
use Larder\Sql\Ledger\Publication;
use Larder\Sql\Ledger\RegisteredPages;
use Larder\Sql\Ledger\Registration;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Connection;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\LockingDialect;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Several;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\RowChange;
use Larder\Sql\Tracker\TransactionState;
use Larder\Testbed\Server\ServerProcess;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Sql\FailingStatements;
use Larder\Tests\Support\Containers;
use Larder\Tests\Support\ToldChanges;
use LogicException;
use PDOException;
use PDOStatement;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;
use RuntimeException;
use Throwable;

/** The ledger where rows are locked one by one, on a real server. Each test has a database of its own. */
abstract class LedgerCase extends TestCase
{
    protected const SLOTS = 64;

    private static ?TemporaryDirectory $room = null;

    private static ?ServerProcess $server = null;

    private static int $databases = 0;

    protected TemporaryDirectory $directory;

    protected Registry $registry;

    protected SqlLedger $ledger;

    /** @var array{string, string, string} dsn, user, password */
    protected array $database;

    abstract protected static function server(string $directory): ServerProcess;

    /** @return array{string, string, string} dsn, user, password of a new database of this name */
    abstract protected static function create(ServerProcess $server, string $name): array;

    public static function setUpBeforeClass(): void
    {
        self::$room = new TemporaryDirectory();
        self::$server = static::server(self::$room->path . '/server');
    }

    public static function tearDownAfterClass(): void
    {
        self::$server?->stop();
        self::$room?->remove();
        self::$server = self::$room = null;
    }

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->begin(...static::create(self::running(), 'test' . ++self::$databases));
    }

    /** Makes a new database the one of this test. */
    protected function begin(string $dsn, string $user, string $password): void
    {
        $this->database = [$dsn, $user, $password];
        $this->registry = new Registry(
            new Table('news', 'id', ['id' => ColumnType::Integer]),
            new Table('comment', 'id', ['id' => ColumnType::Integer]),
        );
        $writer = $this->connect();
        $writer->change('CREATE TABLE news (id INT PRIMARY KEY, title VARCHAR(20))');
        $writer->change('CREATE TABLE comment (id INT PRIMARY KEY)');
        $writer->change("INSERT INTO news VALUES (4, 'four'), (5, 'five')");
        $this->ledger = $this->ledger($writer);
        $this->ledger->deploy();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testAChangeDropsThePageAndForgetsIt(): void
    {
        $writer = $this->connect();
        self::assertSame(Publication::Stored, $this->render(4));
        self::assertSame(Publication::Stored, $this->render(5));
        self::assertSame(['news!', 'news:4'], $this->ledger->index()->namesOf('/news/4'));
        $this->write(4, 'x', $writer);

        self::assertSame([false, true], [$this->stores(4), $this->stores(5)]);
        self::assertSame(['pages' => 1, 'edges' => 2], $this->ledger->index()->count());
        self::assertSame(['/news/5'], $this->ledger->index()->pages('r1'));
        self::assertSame(Publication::Stored, $this->render(4));
        self::assertSame('x', $this->page(4));
    }

    public function testARenderThatReadBeforeAChangeIsNotStored(): void
    {
        self::assertSame(Publication::Changed, $this->render(4, afterwards: fn() => $this->write(4, 'x')));
        self::assertFalse($this->stores(4));
        self::assertSame(Publication::Stored, $this->render(5, afterwards: fn() => $this->write(4, 'y')));
    }

    public function testAChangeIsToldBeforeCommitAndDoneAfterIt(): void
    {
        $writer = $this->connect();
        $told = $this->telling();
        $ledger = $this->ledger($writer, announced: $told->announced(...));
        $this->render(4);
        $this->render(5);
        $write = static fn(): int|false => $writer->exec("UPDATE news SET title = 'x' WHERE id = 4");

        $writer->beginTransaction();
        $write();
        $writer->rollBack();
        self::assertSame([], $told->take(), 'a rollback before anything was told');

        $writer->beginTransaction();
        $change = $ledger->open();
        $write();
        $change->name('news:4', trust: true);
        $ledger->change($change);
        $writer->rollBack();
        self::assertSame([['news:4', ['/news/4']]], $told->take(), 'a rollback of what was told');

        $this->render(4);
        $writer->beginTransaction();
        $write();
        $writer->commit();
        self::assertSame([['news:4', ['/news/4']], 'after x'], $told->take());

        $writer->exec("UPDATE news SET title = 'y' WHERE id = 5");
        self::assertSame([['', ['/news/5']], 'after x'], $told->take(), 'without a transaction');
    }

    public function testDeployAndFlushAreTold(): void
    {
        $told = $this->telling();
        $ledger = $this->ledger(announced: $told->announced(...));
        $ledger->deploy();
        $ledger->flush();

        self::assertSame([['', null], 'after four', ['', null], 'after four'], $told->take());
    }

    public function testPagesThatMakeRoomAreToldWithoutNames(): void
    {
        $told = $this->telling();
        foreach ([4, 5, 6] as $id) {
            $this->render($id, cap: 40_000, announced: $told->announced(...));
        }

        self::assertSame([['', ['/news/4']], 'after four'], $told->take());
        $connection = $this->connect();
        $ledger = $this->ledger($connection, announced: $told->announced(...));
        try {
            $fail = static fn(): never => throw new RuntimeException('mine');
            $this->render(4, cap: 40_000, connection: $connection, ledger: $ledger, stamp: $fail);
            self::fail('It threw.');
        } catch (RuntimeException) {
            self::assertSame([['', ['/news/5']]], $told->take(), 'It was rolled back.');
        }
        self::assertSame(Publication::Stored, $this->render(6, connection: $connection, ledger: $ledger));
        self::assertSame([], $told->take());
    }

    /** Trap 4. */
    public function testNobodyRegistersAPageWhoseNamesAreBeingChanged(): void
    {
        $writer = $this->connect();
        $writer->beginTransaction();
        $ledger = $this->ledger($writer);
        $change = $ledger->open();
        $writer->change("UPDATE news SET title = 'x' WHERE id = 4");
        $change->name('news:4', trust: true);
        $ledger->change($change);

        self::assertSame(Publication::Busy, $this->render(4));
        self::assertSame(Publication::Stored, $this->render(5));
        $writer->commit();
        self::assertSame(Publication::Stored, $this->render(4));
        self::assertSame('x', $this->page(4));
    }

    /** Trap 1: a snapshot below REPEATABLE READ is none. */
    public function testARenderReadsOneStateWhateverTheSessionsIsolationLevel(): void
    {
        $reader = $this->connect();
        $reader->change($this->isolated('READ COMMITTED'));
        $seen = [];
        $this->ledger($reader)->snapshot(new RecordedReads($this->registry), function () use ($reader, &$seen): void {
            $seen[] = $reader->value('SELECT title FROM news WHERE id = 4');
            $this->connect()->change("UPDATE news SET title = 'x' WHERE id = 4");
            $seen[] = $reader->value('SELECT title FROM news WHERE id = 4');
        });

        self::assertSame(['four', 'four'], $seen);
        self::assertSame('x', $reader->value('SELECT title FROM news WHERE id = 4'));
    }

    /** Trap 2: what begins a transaction inside another one may commit it. */
    public function testARenderInsideATransactionLeavesItOpen(): void
    {
        $writer = $this->connect();
        $writer->beginTransaction();
        $writer->change("UPDATE news SET title = 'x' WHERE id = 4");
        $reads = new RecordedReads($this->registry);
        $this->ledger($writer)->snapshot($reads, static fn(): null => null);
        $writer->rollBack();

        self::assertNotNull($reads->refusal());
        self::assertSame('four', $writer->value('SELECT title FROM news WHERE id = 4'));
    }

    /** Traps 3, 5 and 10: the writer's snapshot is older than the page, and than a raise of the same slot. */
    public function testAWriterWithAnOldSnapshotFindsTheNewestPagesAndRaises(): void
    {
        foreach (['REPEATABLE READ', 'SERIALIZABLE'] as $level) {
            $writer = $this->connect();
            $writer->change($this->isolated($level));
            $writer->beginTransaction();
            $writer->rows('SELECT title FROM news WHERE id = 5');
            $this->ledger()->transaction(static fn(Change $change) => $change->name('news:4', trust: true));
            self::assertSame(Publication::Stored, $this->render(4));
            $ledger = $this->ledger($writer);
            $change = $ledger->open();
            $change->name('news:4', trust: true);
            $ledger->change($change);
            self::assertFalse($this->stores(4), $level);
            $writer->commit();
        }
    }

    public function testPagesAreRegisteredBelowAnyIsolationLevelThatTheServerHas(): void
    {
        $this->byDefault('SERIALIZABLE');
        try {
            self::assertSame(Publication::Stored, $this->render(4));
            self::assertSame(Publication::Changed, $this->render(4, afterwards: fn() => $this->write(4, 'x')));
        } finally {
            $this->byDefault($this->usualLevel());
        }
    }

    /** Trap 8. */
    public function testAChangeOfVeryManyNamesCountsAsOneOfEverything(): void
    {
        $large = (new SqlLedger($this->connect(), $this->store(), 'r1', slots: self::SLOTS))->follow();
        self::assertSame(Publication::Stored, $this->render(4));
        $writer = $this->connect();
        $this->redeploy(65536);
        self::assertSame(Publication::Stored, $this->render(4, slots: 65536));
        $writer->beginTransaction();
        $ledger = $this->ledger($writer, slots: 65536);
        $change = $ledger->open();
        foreach (range(1, 1500) as $key) {
            $change->name(Name::row('comment', (string) $key), trust: true);
        }
        $ledger->change($change);
        self::assertFalse($this->stores(4));
        $free = $this->connect()->second();
        self::assertCount(500, $free->transaction(
            fn(): array => $free->rows($this->dialect()->locks(range(0, 499), false, false)),
        ));
        $writer->commit();
        self::assertSame(65536, $ledger->slots());
        self::assertSame(self::SLOTS, $large->slots());
    }

    public function testAWriterWhoseSchemaIsOutOfDateDropsEverythingOnce(): void
    {
        $writer = $this->connect();
        $writer->registry()->tables();
        $this->state($this->connect()->second())->raise([Dialect::SCHEMA]);
        $versions = new LedgerVersions($this->ledger());
        $stamps = $versions->make(static fn(): int => 1, ['comment:1'], null)->stamps ?? [];
        $this->render(5);
        self::assertSame([true], $versions->hold([$stamps]));
        $this->write(4, 'x', $writer);
        self::assertSame([false], $versions->hold([$stamps]));
        self::assertFalse($this->stores(5));
        $this->render(5);
        self::assertSame(Publication::Stored, $this->render(5));
        $this->write(4, 'y');
        $this->write(4, 'z', $writer);

        self::assertTrue($this->stores(5), 'It knows the schema now, and nobody else is out of date by that.');
    }

    public function testAColumnSetThatWasLearnedMeanwhileIsMissedInItsOwnTableAlone(): void
    {
        $learn = fn(string $table): int => $this->connect()->second()->change(
            'INSERT INTO larder_set (id, tbl, columns) SELECT COALESCE(MAX(id), 0) + 1, ?, ? FROM larder_set',
            [$table, 'id'],
        );
        $writer = $this->connect();
        $this->write(4, 'w', $writer);
        $writer->registry()->tables();
        self::assertSame(Publication::Stored, $this->render(5));
        $learn('other');
        $this->write(4, 'x', $writer);
        self::assertTrue($this->stores(5), 'a set of another table');

        // It reads the list anew.
        $this->write(4, 'y', $writer);
        $learn('news');
        $this->write(4, 'z', $writer);
        self::assertFalse($this->stores(5), 'one that the names may lack');
    }

    public function testTheSlotsOfAChangeAreLockedInTheirOrder(): void
    {
        $first = $this->connect()->second();
        $second = $this->connect()->second();
        $state = $this->state($second);
        $second->transaction(function () use ($state, $first): void {
            $state->raise([3, 7]);
            $rows = $first->transaction(
                fn(): array => $first->rows($this->dialect()->locks(range(1, 9), false, false)),
            );
            self::assertSame([1, 2, 4, 5, 6, 8, 9], array_map(static fn(array $row): mixed => current($row), $rows));
        });
        self::assertSame([3 => 1, 4 => 0], array_map(
            static fn(int $version): int => $version === 0 ? 0 : 1,
            $state->read([3, 4])['versions'],
        ));
    }

    public function testAnUnlinkThatFailsRollsTheWriterBack(): void
    {
        $this->render(4);
        $page = $this->directory->path . '/pages/current/news/4~page';
        unlink($page);
        mkdir($page);
        $writer = $this->connect();
        try {
            $this->write(4, 'x', $writer);
            self::fail('No exception.');
        } catch (LedgerUnavailable $exception) {
            self::assertStringContainsString('rolled back', $exception->getMessage());
        }

        self::assertFalse($writer->inTransaction());
        self::assertSame('four', $writer->value('SELECT title FROM news WHERE id = 4'));
        self::assertSame(['news!', 'news:4'], $this->ledger->index()->namesOf('/news/4'));
    }

    public function testALedgerOutOfReachRollsTheWriterBack(): void
    {
        $writer = $this->connect();
        $writer->change('DROP TABLE larder_raise');
        try {
            $this->write(4, 'x', $writer);
            self::fail('No exception.');
        } catch (LedgerUnavailable) {
            self::assertSame('four', $writer->value('SELECT title FROM news WHERE id = 4'));
        }
    }

    public function testAnExceptionOfTheWriterPassesThroughAfterARollback(): void
    {
        $this->render(4);
        $writer = $this->connect();
        try {
            $this->ledger($writer)->transaction(static function () use ($writer): never {
                $writer->change("UPDATE news SET title = 'x' WHERE id = 4");
                throw new RuntimeException('mine');
            });
        } catch (RuntimeException $exception) {
            self::assertSame('mine', $exception->getMessage());
        }

        self::assertSame('four', $writer->value('SELECT title FROM news WHERE id = 4'));
        self::assertTrue($this->stores(4));
    }

    /** Lost before COMMIT, also right after the pages were dropped; or at COMMIT, whose outcome is unknown then. */
    #[TestWith(['UPDATE', 'four'])]
    #[TestWith(['raise', 'four'])]
    #[TestWith(['COMMIT', 'x'])]
    public function testAConnectionThatIsLostLeavesNoOldPageAndNoLock(string $at, string $title): void
    {
        [$dsn, $user, $password] = $this->database;
        $writer = new class ($dsn, $this->registry, [], new NullLogger(), $user, $password) extends RecordingPdo {
            public LosingStatements $losing;

            protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
            {
                return $this->losing = new LosingStatements($this, $this->dialect(), $state, $several, $open);
            }
        };
        $this->ledger($writer);
        $versions = new LedgerVersions($this->ledger());
        $stamps = $versions->make(static fn(): int => 1, ['news:4'], null)->stamps ?? [];
        $this->render(4);
        $this->render(5);
        $writer->beginTransaction();
        $writer->exec("UPDATE news SET title = 'x' WHERE id = 4");
        if ($at === 'COMMIT') {
            $writer->losing->lose = fn() => $this->close($writer->own());
        } elseif ($at === 'raise') {
            $ledger = $this->ledger($writer);
            $ledger->change($ledger->open());
        }
        if ($at !== 'COMMIT') {
            $this->close($writer->own());
        }
        $failure = null;
        try {
            $writer->commit();
        } catch (Throwable $failure) {
            // Of the server, or LedgerUnavailable.
        }
        self::assertNotNull($failure, 'It is lost.');
        self::assertSame([$at === 'UPDATE', true], [$this->stores(4), $this->stores(5)]);
        self::assertSame([$at !== 'COMMIT'], $versions->hold([$stamps]));
        self::assertSame(Publication::Stored, $this->render(4));
        self::assertSame($title, $this->page(4));
    }

    public function testASecondConnectionThatTheServerClosedIsOpenedAgain(): void
    {
        $this->render(4);
        $writer = $this->connect();
        $this->write(5, 'x', $writer);
        $this->close($writer->second());
        $this->write(4, 'x', $writer);
        self::assertFalse($this->stores(4));
        $this->close($writer->second());
        self::assertNotSame([], $writer->second()->rows('SELECT id FROM larder_ledger'));
    }

    public function testChangeOutsideATransactionThrows(): void
    {
        $this->expectException(NoTransaction::class);

        $this->ledger->open();
    }

    public function testAnOldReleaseMayNotStore(): void
    {
        $this->ledger(release: 'r2')->deploy();

        self::assertSame(Publication::OtherRelease, $this->render(4));
        self::assertSame([], $this->ledger->index()->pages('r1'));
    }

    public function testAChangeOfAProcessWithAnotherRegistryIsOneOfWholeTables(): void
    {
        $other = new Registry(new Table('news', 'id', ['id' => ColumnType::Integer]));
        $render = fn(int $id): Publication => $this->render($id, [$this->registry->row('comment', $id)]);
        foreach ([false, true] as $isHeld) {
            $this->render(4);
            $render(5);
            $render(5);
            $write = fn() => $this->write(4, 'x', $this->connect($other));
            $all = Name::slotOf('news!', self::SLOTS);
            $second = $this->connect()->second();
            // A renderer that holds this slot alone may wait for one that the writer has.
            $isHeld ? $second->transaction(function () use ($second, $all, $write): void {
                $second->rows($this->dialect()->locks([$all], false, true));
                $write();
            }) : $write();
            self::assertSame([false, !$isHeld], [$this->stores(4), $this->stores(5)]);
        }
    }

    /** Its names are other ones: of the row that it changed, a page may have another name. */
    public function testAChangeOfAProcessWithAnotherRegistryEndsAllThatReadItsTable(): void
    {
        $this->render(5);
        $versions = new LedgerVersions($this->ledger());
        $stamps = $versions->make(static fn(): int => 1, ['news:5'], null)->stamps;
        self::assertNotNull($stamps);
        self::assertSame(Publication::Changed, $this->render(4, [$this->registry->row('news', 5)], function (): void {
            $this->write(4, 'x', $this->connect(new Registry(new Table('news', 'id', ['id' => ColumnType::Integer]))));
        }));
        self::assertFalse($this->stores(5));
        self::assertSame([false], $versions->hold([$stamps]));
    }

    public function testAnotherCountOfSlotsIsRefused(): void
    {
        $this->expectException(LedgerUnavailable::class);
        $this->expectExceptionMessage(self::SLOTS . ' version slots');
        $this->ledger(slots: 16)->transaction(static fn(RowChange $change) => $change->bulk('news'));
    }

    public function testAPageWhoseRenderBeganBeforeAFlushIsNotStored(): void
    {
        $this->render(5);
        self::assertSame(Publication::Changed, $this->render(4, afterwards: fn() => $this->ledger()->flush()));
        self::assertSame([false, false], [$this->stores(4), $this->stores(5)]);
        self::assertSame(Publication::Stored, $this->render(4));
    }

    /** A server counts no versions of its schema, so a process does not see what another program did to it. */
    public function testAfterAFlushEveryProcessReadsTheSchemaAnew(): void
    {
        $writer = $this->plain();
        $this->ledger($writer);
        $writer->exec("UPDATE news SET title = 'x' WHERE id = 4");
        $this->connect()->change('INSERT INTO comment VALUES (4)');
        $this->connect()->change(
            'ALTER TABLE comment ADD FOREIGN KEY (id) REFERENCES news (id) ON DELETE CASCADE',
        );
        $this->ledger()->flush();
        self::assertSame(Publication::Stored, $this->render(5, [$this->registry->row('comment', 4)]));
        $writer->exec('DELETE FROM news WHERE id = 4');

        self::assertFalse($this->stores(5), 'The comment is gone too.');
    }

    public function testNoGenerationComesBackAfterAFlushOrALostPageDirectory(): void
    {
        $generations = [];
        foreach (['nothing', 'change', 'flush', 'loss'] as $event) {
            match ($event) {
                'change' => $this->write(4, 'x'),
                'flush' => $this->ledger->flush(),
                'loss' => exec('rm -rf ' . escapeshellarg($this->directory->path . '/pages') . '/*'),
                default => null,
            };
            if ($event === 'loss') {
                self::assertSame(Publication::Changed, $this->render(4), 'The first one begins anew.');
            }
            self::assertSame(Publication::Stored, $this->render(4), $event);
            $generations[] = filemtime($this->directory->path . '/pages/current/news/4~page');
        }

        self::assertCount(4, array_unique($generations));
    }

    /** Also if the page registered last is gone: its number is the ledger's last generation. */
    public function testADatabaseRestoredFromABackupEmptiesThePageStore(): void
    {
        $this->render(5);
        $this->render(4);
        $this->write(4, 'x');
        $this->write(4, 'y');
        self::assertTrue($this->stores(5), 'The store is not ahead of its ledger.');
        $tables = ['larder_ledger', 'larder_raise', 'larder_page', 'larder_edge'];
        $writer = $this->connect();
        foreach ($tables as $table) {
            $writer->change("CREATE TABLE kept_$table AS SELECT * FROM $table");
        }
        $this->render(4);
        self::assertTrue($this->stores(4));
        foreach ($tables as $table) {
            $writer->change("DELETE FROM $table");
            $writer->change("INSERT INTO $table SELECT * FROM kept_$table");
        }
        $this->ledger()->transaction(static fn(Change $change) => $change->name('comment:1', trust: true));

        self::assertSame([false, false], [$this->stores(4), $this->stores(5)]);
    }

    public function testADeployWithAnotherPageDirectoryLeavesNoPageInTheFirst(): void
    {
        $this->render(4);
        $second = new FilePageStore($this->directory->path . '/second', 'r2');
        (new SqlLedger($this->connect(), $second, 'r2', slots: self::SLOTS))->follow()->deploy();

        self::assertSame([], $this->directory->files('pages/r'));
        self::assertSame([], $this->directory->files('pages/aside'));
        self::assertSame(Publication::OtherRelease, $this->render(4));
    }

    public function testAProcessWithAnotherPageDirectoryDropsWhereThePagesLieAndStoresNothing(): void
    {
        $this->render(4);
        $other = new FilePageStore($this->directory->path . '/other', 'r1');
        self::assertSame(Publication::OtherPlace, $this->render(5, store: $other));
        $writer = $this->connect();
        ((new SqlLedger($writer, $other, 'r1', slots: self::SLOTS))->follow())
            ->transaction(static fn(Change $change) => $change->name('news:4', trust: true));

        self::assertFalse($this->stores(4));
        self::assertSame([], $this->directory->files('other/r'));
        self::assertSame(Publication::Stored, $this->render(4));
    }

    /** The other one's nginx would go on to serve its files. */
    public function testAContainerWithAPageDirectoryOfItsOwnChangesNothing(): void
    {
        $containers = new Containers($this->directory->path . '/pages');
        $containers->in('one', function (): void {
            self::assertSame(Publication::Stored, $this->render(4));
        });
        $title = fn(): mixed => $this->connect()->value('SELECT title FROM news WHERE id = 4');
        $before = $title();
        $altered = function (): void {
            $writer = $this->connect();
            $this->ledger($writer);
            $writer->exec('ALTER TABLE comment ADD surprising INT');
        };
        $steps = [
            'a change of a row' => fn() => $this->write(4, 'changed elsewhere'),
            'a change of a table' => fn() => $this->ledger()->transaction(
                static fn(Change $change) => $change->bulk('news'),
            ),
            'a change of the schema' => $altered,
            'a page' => fn() => $this->render(5),
            'a flush' => fn() => $this->ledger()->flush(),
            'a deployment' => fn() => $this->ledger()->deploy(),
        ];
        foreach ($steps as $what => $step) {
            $said = $containers->in('two', fn(): string => self::refused($step));
            self::assertStringContainsString('larder deploy --take', $said, $what);
        }
        self::assertSame($before, $title());
        $containers->in('one', function (): void {
            self::assertSame('four', $this->page(4));
            $this->write(4, 'changed here');
            self::assertFalse($this->stores(4));
            self::assertSame(Publication::Stored, $this->render(4));
        });
        $containers->in('two', function (): void {
            $this->ledger()->deploy(takes: true);
            self::assertSame(Publication::Stored, $this->render(4));
            $this->write(4, 'changed there');
            self::assertFalse($this->stores(4));
        });
        $said = $containers->in('one', fn(): string => self::refused($steps['a change of a row']));
        self::assertStringContainsString('larder deploy --take', $said);
    }

    /** It may take over after a renderer has looked, and before that one has the lock. */
    public function testAContainerThatTookOverMeanwhileKeepsItsPages(): void
    {
        $pages = $this->createMock(RegisteredPages::class);
        $pages->method('place')->willReturn($this->store()->place());
        $pages->method('endWithHost')->willReturn(true);
        $pages->method('belong')->willReturn(false);
        $pages->expects(self::exactly(2))->method('isHost')->willReturn(true, false);
        $pages->expects(self::never())->method('begin');
        $connection = $this->connect();
        $ledger = (new SqlLedger($connection, $pages, 'r1', slots: self::SLOTS))->follow();
        $said = self::refused(fn() => $this->render(4, connection: $connection, ledger: $ledger));
        self::assertStringContainsString('larder deploy --take', $said);
    }

    /** @param Closure(): mixed $step */
    private static function refused(Closure $step): string
    {
        try {
            $step();

            return 'nothing was refused';
        } catch (LarderException $refused) {
            return $refused->getMessage();
        }
    }

    public function testDeployIsIdempotentAndBeginsANewLife(): void
    {
        $this->render(4);
        $before = $this->ledger->state()->read();
        $this->ledger()->deploy();
        $after = $this->ledger->state()->read();

        self::assertFalse($this->stores(4));
        self::assertNotSame($before['id'], $after['id']);
        self::assertNotSame($before['schema'], $after['schema'], 'Another program may have changed the schema.');
        self::assertSame(Publication::Stored, $this->render(4));
    }

    public function testARouteKeepsToItsShare(): void
    {
        self::assertSame(Publication::Stored, $this->render(4));
        self::assertSame(Publication::Stored, $this->render(5, cap: 20_000));
        self::assertSame([false, true], [$this->stores(4), $this->stores(5)]);
        self::assertSame(['route' => 16384], $this->ledger->index()->bytes());
        self::assertSame(Publication::Full, $this->render(4, cap: 1000));
        $this->write(5, 'x');
        self::assertSame(0, array_sum($this->ledger->index()->bytes()));
    }

    public function testAPageIsTakenFromItsRouteOnceWhoeverDeletesItToo(): void
    {
        $this->render(4);
        $this->render(5);
        $second = $this->connect()->second();
        $index = $this->index($second);
        $rows = $index->ofPage('/news/4');
        foreach (['a renderer of the same page', 'the writer, a little later'] as $who) {
            $second->transaction(static fn() => $index->delete($rows));
            self::assertSame(16384, array_sum($index->bytes()), $who);
        }
    }

    /** Else two of them would now and then wait for each other: a look at all rows waits for those of others. */
    public function testWhoDeletesAPageWaitsForNobodyWhoDeletesOthers(): void
    {
        foreach ([4, 5, 6, 7, 8] as $id) {
            $this->render($id);
        }
        $first = $this->connect()->second();
        $first->transaction(function () use ($first): void {
            $index = $this->index($first);
            $rows = [...$index->ofPage('/news/8'), ...$index->ofPage('/news/6')];
            self::assertSame(['route' => -32768], $index->remove($rows));
            $second = $this->connect()->second();
            $second->transaction(function () use ($second): void {
                $index = $this->index($second);
                $index->remove([...$index->ofPage('/news/7'), ...$index->ofPage('/news/5')]);
            });
        });
        $this->render(4);
        self::assertSame(['pages' => 1, 'edges' => 2], $this->ledger->index()->count());
    }

    /** A writer deletes rows of the index after its COMMIT, when a flush may have begun. */
    public function testTheIndexIsClearedInTheOrderInWhichItsRowsAreDeleted(): void
    {
        $this->render(4);
        [$writer, $flush] = [$this->connect()->second(), $this->connect()->second()];
        $flush->change($this->dialect()->patience(50, 1000)[0]);
        $writer->transaction(function () use ($writer, $flush): void {
            $writer->rows('SELECT id FROM larder_page FOR UPDATE');
            try {
                $flush->transaction(function () use ($writer, $flush): void {
                    try {
                        $this->index($flush)->clear();
                    } catch (PDOException) {
                        // It holds what it has got until its transaction ends.
                        self::assertSame(2, $writer->change('DELETE FROM larder_edge'));
                    }
                    throw new RuntimeException('cleared');
                });
            } catch (RuntimeException $exception) {
                self::assertSame('cleared', $exception->getMessage());
            }
        });
        self::assertSame(['pages' => 1, 'edges' => 0], $this->ledger->index()->count());
    }

    public function testANameOfAnyLengthAndAnyBytesIsFound(): void
    {
        $names = [str_repeat('é', 249), "\xff\x00", '#x ', '#X', '#x'];
        foreach ($names as $i => $name) {
            $key = 10 + $i;
            self::assertSame(Publication::Stored, $this->render($key, [Name::word($name)]));
        }
        foreach ($names as $i => $name) {
            $word = Name::word($name);
            $this->ledger()->transaction(static fn(Change $change) => $change->name($word, trust: true));
            self::assertSame(
                array_map(static fn(int $j): bool => $j > $i, array_keys($names)),
                array_map(fn(int $j): bool => $this->stores(10 + $j), array_keys($names)),
            );
        }
    }

    public function testManyRaisesBecomeOneAndTheVersionStays(): void
    {
        $slot = Name::slotOf('news:4', self::SLOTS);
        $count = 'SELECT COUNT(*) AS n FROM larder_raise WHERE slot = ' . $slot;
        $writer = $this->connect();
        $second = $writer->second();
        $state = $this->state($second);
        for ($i = 0; $i < 20; ++$i) {
            $state->raise([$slot]);
        }
        $before = $state->read([$slot])['versions'];
        $open = $this->connect();
        $open->beginTransaction();
        $this->state($open->own())->raise([$slot]);
        $second->transaction(static fn() => $state->compact([$slot]));
        self::assertSame(1, $writer->value($count));
        self::assertSame($before, $state->read([$slot])['versions']);
        $open->commit();
        self::assertSame(2, $writer->value($count));
        self::assertNotSame($before, $state->read([$slot])['versions']);
        for ($i = 0; $i < 300; ++$i) {
            $this->write(4, 'x' . $i, $writer);
        }
        self::assertLessThan(200, $writer->value($count), 'A change looks after its slots now and then.');
    }

    public function testWhatAnotherOneMakesOneRaiseIsLeftAlone(): void
    {
        $slot = Name::slotOf('news:4', self::SLOTS);
        $second = $this->connect()->second();
        $state = $this->state($second);
        for ($i = 0; $i < 20; ++$i) {
            $state->raise([$slot]);
        }
        $before = $state->read([$slot])['versions'];
        $other = $this->connect()->second();
        $second->transaction(function () use ($state, $slot, $other): void {
            $state->compact([$slot]);
            $other->transaction(fn() => $this->state($other)->compact([$slot]));
        });
        self::assertSame($before, $state->read([$slot])['versions']);
        self::assertSame(1, $this->connect()->value('SELECT COUNT(*) AS n FROM larder_raise WHERE slot = ' . $slot));
    }

    public function testASetIsLearnedOnlyWhileNoWriterHasReadTheList(): void
    {
        $writer = $this->connect();
        $writer->beginTransaction();
        $ledger = $this->ledger($writer);
        $change = $ledger->open();
        $change->name('news:4', trust: true);
        $ledger->change($change);
        $reader = $this->connect()->second();
        $try = fn(): int => $reader->transaction(
            fn(): int => \count($reader->rows($this->dialect()->locks([Dialect::SETS], false, false))),
        );
        self::assertSame(0, $try());
        $second = $this->connect();
        $second->beginTransaction();
        $this->state($second->own())->lock([Dialect::SETS], true);
        $second->commit();
        $writer->commit();

        self::assertSame(1, $try());
    }

    public function testAValueEndsWithItsNamesAndIsOfTheSnapshotOfItsPage(): void
    {
        $reader = $this->connect();
        $versions = new LedgerVersions($this->ledger($reader));
        $made = $versions->make(static fn(): string => 'value', ['news:4'], null);
        self::assertNotNull($made->stamps, $made->refusal);
        self::assertSame([true], $versions->hold([$made->stamps]));
        $this->write(5, 'x');
        self::assertSame([true], $versions->hold([$made->stamps]));
        $this->write(4, 'x');
        self::assertSame([false], $versions->hold([$made->stamps]));
    }

    /** The read transaction of a render is Larder's, and PostgreSQL runs nothing in one that has failed. */
    public function testARenderGoesOnAfterAStatementThatFailed(): void
    {
        $fails = 'SELECT title FROM news WHERE id = (SELECT n.id FROM news n)';
        foreach ([
            'query' => static fn(RecordingPdo $pdo): mixed => $pdo->query($fails),
            'exec' => static fn(RecordingPdo $pdo): mixed => $pdo->exec($fails),
            'select' => static fn(RecordingPdo $pdo): mixed => $pdo->select($fails),
            'execute' => static fn(RecordingPdo $pdo): mixed => $pdo->prepare($fails)->execute(),
        ] as $way => $fail) {
            $connection = $this->plain();
            $reads = new RecordedReads($this->registry);
            $title = $this->ledger($connection)->snapshot($reads, static function () use ($connection, $fail): mixed {
                try {
                    $fail($connection);
                } catch (PDOException) {
                }

                return $connection->query('SELECT title FROM news WHERE id = 4')->fetchColumn();
            });
            self::assertSame(['four', 'a statement failed (SQLSTATE 21000)'], [$title, $reads->refusal()], $way);
            self::assertSame(1, $connection->exec("UPDATE news SET title = '$way' WHERE id = 5"), $way);
            self::assertSame($way, $this->connect()->value('SELECT title FROM news WHERE id = 5'));
        }
    }

    public function testARowThatFailsWhenItIsFetchedRefuses(): void
    {
        $late = 'SELECT title, (SELECT n.id FROM news n WHERE n.id >= news.id) FROM news ORDER BY id DESC';
        foreach ([
            'fetch' => static fn(PDOStatement $rows): mixed => [$rows->fetch(), $rows->fetch()],
            'fetchAll' => static fn(PDOStatement $rows): mixed => $rows->fetchAll(),
            'foreach' => static fn(PDOStatement $rows): mixed => iterator_to_array($rows->getIterator()),
        ] as $how => $fetch) {
            $connection = $this->plain();
            $reads = new RecordedReads($this->registry);
            $this->ledger($connection)->snapshot($reads, function () use ($connection, $late, $fetch): void {
                try {
                    $rows = $connection->prepare($late, $this->rowByRow($connection));
                    $rows->execute();
                    $fetch($rows);
                } catch (PDOException) {
                    return;
                }
            });
            self::assertStringStartsWith('a statement failed (SQLSTATE ', $reads->refusal() ?? 'none', $how);
        }
    }

    /** @return array<int, mixed> what lets a statement's rows come one by one */
    abstract protected function rowByRow(RecordingPdo $connection): array;

    public function testAQuestionOfLardersOwnThatFailsRefuses(): void
    {
        [$dsn, $user, $password] = $this->database;
        $connection = new class ($dsn, user: $user, password: $password) extends RecordingPdo {
            protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
            {
                return parent::ownStatements($state, $several, static fn() => throw new PDOException('It is full.'));
            }
        };
        foreach ([
            'a statement' => static fn(): mixed => $connection->query('SELECT title FROM news WHERE id = 4')->fetch(),
            'a table' => static fn(): mixed => $connection->registry()->find('news'),
        ] as $what => $ask) {
            $reads = new RecordedReads($connection->registry());
            $connection->tracker()->record($reads, $ask);
            self::assertSame('a statement failed', $reads->refusal(), $what);
            $connection->tracker()->outdated();
        }
        // What the session says of statements.
        $connection = new class ($dsn, user: $user, password: $password) extends RecordingPdo {
            protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
            {
                return new FailingStatements($this, $this->dialect(), $state, $several, $open);
            }
        };
        $own = $connection->own();
        self::assertInstanceOf(FailingStatements::class, $own);
        $own->fails = true;
        $sql = 'SELECT title FROM news WHERE id = 4';
        foreach ([
            'query' => static fn(): mixed => $connection->query($sql),
            'exec' => static fn(): mixed => $connection->exec($sql),
            'select' => static fn(): mixed => $connection->select($sql),
        ] as $method => $ask) {
            $reads = new RecordedReads($connection->registry());
            $connection->tracker()->record($reads, static function () use ($ask): void {
                try {
                    $ask();
                } catch (PDOException) {
                    return;
                }
            });
            self::assertSame('a statement failed', $reads->refusal(), $method);
        }
    }

    public function testStatementsThatAreSentTogetherAreRunOneAfterTheOther(): void
    {
        $second = $this->connect()->second();
        $add = ['INSERT INTO larder_place (path, served, since) VALUES (?, 0, ?)', ['/a;?\'', 1]];
        $count = "SELECT COUNT(*) AS n FROM larder_place WHERE path LIKE '/a%'";
        $rows = $second->transaction(static fn(): array => $second->together([
            ['SELECT CAST(? AS CHAR(9)) AS words', ['one; two?']],
            $add,
            [$count, []],
        ]));
        self::assertSame([[['words' => 'one; two?']], [], [['n' => 1]]], $rows);
        try {
            $second->transaction(static fn(): array => $second->together([
                ['DELETE FROM larder_place WHERE path = ?', [$add[1][0]]],
                ['SELECT nothing_like_this', []],
                ['DELETE FROM larder_place', []],
            ]));
            self::fail('The second one cannot be run.');
        } catch (PDOException $exception) {
            self::assertStringContainsString('nothing_like_this', $exception->getMessage());
        }
        self::assertSame([['n' => 1]], $second->rows($count), 'It was rolled back.');
        $second->transaction(static fn(): null => null);
        self::assertSame([['n' => 1]], $second->rows($count), 'Nothing is open after one without a statement.');
    }

    /** Else it would wait for a writer that waits for it: one that finds out late that it changed everything. */
    public function testARendererThatWaitsHoldsNothingThatEveryPageNeeds(): void
    {
        $renderer = new SteppedWriter($this->database, $this->registry);
        $render = new Fiber(fn(): Publication => $this->render(4, connection: $renderer));
        $step = $render->start();
        while ($step === 'COMMIT') {
            // What it keeps of the schema comes first.
            $step = $render->resume();
        }
        self::assertMatchesRegularExpression('/FOR UPDATE|advisory/', \is_string($step) ? $step : '');
        $second = $this->connect()->second();
        $all = [Dialect::EVERYTHING, Dialect::SCHEMA];
        self::assertCount(2, $second->transaction(
            fn(): array => $second->rows($this->dialect()->locks($all, false, false)),
        ));
        while (!$render->isTerminated()) {
            $render->resume();
        }
        self::assertSame(Publication::Stored, $render->getReturn());
    }

    public function testTwoWritersOfOneNameDoNotWaitForEachOther(): void
    {
        $this->render(4);
        $writers = [];
        foreach ([4, 5] as $id) {
            $writers[$id] = new SteppedWriter($this->database, $this->registry);
            $writers[$id]->beginTransaction();
            $ledger = $this->ledger($writers[$id]);
            $change = $ledger->open();
            $writers[$id]->change("UPDATE news SET title = 'x' WHERE id = $id");
            $change->name('news:' . $id, trust: true);
            $ledger->change($change);
        }
        self::assertFalse($this->stores(4));
        foreach ([4, 5] as $id) {
            self::assertSame(Publication::Busy, $this->render($id));
            $writers[$id]->commit();
            self::assertSame(Publication::Stored, $this->render($id, [$this->registry->row('news', $id)]));
        }
    }

    /**
     * One renderer and one writer of the same row, in every order of their steps, with every death of either.
     *
     * No page may show the old row after COMMIT, and each page that is left must go with the next change.
     */
    public function testNoOrderOfStepsLeavesAnOldPage(): void
    {
        $connections = [
            'R' => new SteppedWriter($this->database, $this->registry),
            'W' => new SteppedWriter($this->database, $this->registry),
        ];
        $control = $this->connect();
        $left = [];
        $pruned = 'none';
        $steps = ['R' => 7, 'W' => 4];
        foreach (self::orders($steps) as $order) {
            if (str_starts_with($order, $pruned)) {
                continue;
            }
            $pruned = $this->play($order, $connections) ?? 'none';
            if ($pruned !== 'none') {
                continue;
            }
            $page = $this->stores(4) ? $this->page(4) : 'none';
            $title = $control->value('SELECT title FROM news WHERE id = 4');
            self::assertContains($page, ['none', $title], "an old page after $order");
            $left[$page] = ($left[$page] ?? 0) + 1;
            $this->write(4, 'four', $control);
            self::assertFalse($this->stores(4), "a page that is not registered after $order");
        }

        ksort($left);
        self::assertSame(['four', 'new', 'none'], array_keys($left));
        self::assertGreaterThan(500, array_sum($left));
    }

    /**
     * @param array<string, SteppedWriter> $connections
     *
     * @return string|null as much of the order as led to a step that was blocked; null: it was possible
     */
    private function play(string $order, array $connections): ?string
    {
        $do = ['R' => fn() => $this->renderIn($connections['R']), 'W' => fn() => $this->writeIn($connections['W'])];
        $fibers = array_map(static fn(Closure $do): Fiber => new Fiber($do), $do);
        $connections['W']->restart();
        foreach ($fibers as $started) {
            $started->start();
        }
        unset($started);
        $blocked = null;
        foreach (str_split($order) as $i => $move) {
            $process = strtoupper($move);
            $fiber = $fibers[$process] ?? null;
            if ($move !== $process) {
                $connections[$process]->vanish();
                unset($fibers[$process], $fiber);
            } elseif ($fiber?->isTerminated() === false && $fiber->resume() === SteppedWriter::BLOCKED) {
                $blocked = substr($order, 0, $i + 1);
                break;
            }
            $isOld = $connections['W']->hasCommitted() && $this->stores(4) && $this->page(4) === 'four';
            self::assertFalse($isOld, 'an old page after ' . substr($order, 0, $i + 1));
        }
        foreach ($fibers as $process => $left) {
            if ($blocked === null) {
                self::assertTrue($left->isTerminated(), "$process has more steps in $order");
            } elseif (!$left->isTerminated()) {
                $connections[$process]->vanish();
            }
        }
        unset($fibers, $fiber, $left);

        return $blocked;
    }

    private function renderIn(SteppedWriter $connection): void
    {
        SteppedPdo::step('begin');
        $this->render(4, connection: $connection, during: SteppedPdo::step(...));
    }

    private function writeIn(SteppedWriter $connection): void
    {
        SteppedPdo::step('begin');
        $this->write(4, 'new', $connection);
    }

    /**
     * Every order of so many steps of processes, and of as many as there are before a death, which is the small letter.
     *
     * @param array{R: int, W: int} $steps
     *
     * @return iterable<string> in the order of the alphabet
     */
    private static function orders(array $steps): iterable
    {
        $orders = [];
        for ($r = 0; $r <= $steps['R']; ++$r) {
            $renders = str_repeat('R', $r) . ($r < $steps['R'] ? 'r' : '');
            foreach (self::mixed($renders, str_repeat('W', $steps['W'])) as $one) {
                $orders[] = $one;
            }
        }
        for ($w = 0; $w < $steps['W']; ++$w) {
            foreach (self::mixed(str_repeat('R', $steps['R']), str_repeat('W', $w) . 'w') as $one) {
                $orders[] = $one;
            }
        }
        sort($orders);

        return $orders;
    }

    /** @return iterable<string> */
    private static function mixed(string $first, string $second): iterable
    {
        if ($first === '' || $second === '') {
            yield $first . $second;

            return;
        }
        foreach (self::mixed(substr($first, 1), $second) as $rest) {
            yield $first[0] . $rest;
        }
        foreach (self::mixed($first, substr($second, 1)) as $rest) {
            yield $second[0] . $rest;
        }
    }

    private function state(Connection $connection): LockingState
    {
        return new LockingState($connection, $this->dialect(), self::SLOTS);
    }

    protected function index(Connection $connection): LockingIndex
    {
        return new LockingIndex($connection, $this->dialect());
    }

    protected function dialect(): LockingDialect
    {
        $dialect = $this->connect()->dialect();

        return $dialect instanceof LockingDialect ? $dialect : throw new LogicException('It locks rows.');
    }

    protected function connect(?Registry $registry = null): Writer
    {
        [$dsn, $user, $password] = $this->database;

        return new Writer($dsn, $registry ?? $this->registry, user: $user, password: $password);
    }

    /** A connection whose statements are seen. */
    protected function plain(): RecordingPdo
    {
        [$dsn, $user, $password] = $this->database;

        return new RecordingPdo($dsn, $this->registry, logger: new NullLogger(), user: $user, password: $password);
    }

    /** @param (Closure(AnnouncedChange): (Closure(): mixed|null))|null $announced */
    protected function ledger(
        ?RecordingPdo $writer = null,
        string $release = 'r1',
        int $slots = self::SLOTS,
        ?Closure $announced = null,
    ): SqlLedger {
        return (new SqlLedger(
            $writer ?? $this->connect(),
            $this->store($release),
            $release,
            slots: $slots,
            announced: $announced,
        ))->follow();
    }

    protected function telling(): ToldChanges
    {
        return new ToldChanges(fn(): mixed => $this->connect()->value('SELECT title FROM news WHERE id = 4'));
    }

    protected function store(string $release = 'r1'): FilePageStore
    {
        return new FilePageStore($this->directory->path . '/pages', $release);
    }

    /**
     * @param list<Name>|null    $names      null: of the row
     * @param (Closure(): mixed)|null  $afterwards runs when the snapshot is over
     * @param (Closure(string): void)|null $during runs between its steps
     * @param (Closure(AnnouncedChange): (Closure(): mixed|null))|null $announced
     * @param SqlLedger|null           $ledger on $connection; null: a new one
     * @param (Closure(int): void)|null $stamp null: the store's
     */
    protected function render(
        int $id,
        ?array $names = null,
        ?Closure $afterwards = null,
        ?FilePageStore $store = null,
        int $cap = 1 << 30,
        int $slots = self::SLOTS,
        ?Writer $connection = null,
        ?Closure $during = null,
        ?Closure $announced = null,
        ?SqlLedger $ledger = null,
        ?Closure $stamp = null,
    ): Publication {
        $connection ??= $this->connect();
        $store ??= $this->store();
        $ledger ??= (new SqlLedger($connection, $store, 'r1', slots: $slots, announced: $announced))->follow();
        $reads = new RecordedReads($this->registry);
        $title = $ledger->snapshot($reads, function () use ($connection, $reads, $id, $names, $during): string {
            $reads->add(...$names ?? [$this->registry->row('news', $id)]);
            $title = $connection->value('SELECT title FROM news WHERE id = ' . $id);
            if ($during !== null) {
                $during('seal');
            }

            return \is_string($title) ? $title : 'none';
        });
        if ($afterwards !== null) {
            $afterwards();
        }
        self::assertNull($reads->refusal());
        $page = PagePath::of('/news/' . $id) ?? throw new LogicException('It is canonical.');
        $draft = $store->draft($page, new Response(200, [], $title));
        $registration = new Registration($page->key, $draft->name, 'route', 16384, $reads, null, $cap, 1 << 30);

        return $ledger->publish(
            $registration,
            $stamp ?? static fn(int $generation) => $store->stamp($draft, $generation),
            static function (int $generation) use ($store, $draft, $during): bool {
                if ($during !== null) {
                    $during('rename');
                }

                return $store->publish($draft, $generation);
            },
        );
    }

    protected function write(int $id, string $title, ?Writer $writer = null): void
    {
        $writer ??= $this->connect();
        $this->ledger($writer)->transaction(static function (Change $change) use ($writer, $id, $title): void {
            $writer->change("UPDATE news SET title = '$title' WHERE id = $id");
            $change->name('news:' . $id, trust: true);
        });
    }

    /** @phpstan-impure */
    protected function stores(int $id): bool
    {
        return is_file($this->directory->path . "/pages/current/news/$id~page");
    }

    protected function page(int $id): string
    {
        return (string) file_get_contents($this->directory->path . "/pages/current/news/$id~page");
    }

    protected function isolated(string $level): string
    {
        return 'SET SESSION TRANSACTION ISOLATION LEVEL ' . $level;
    }

    /** Makes a level that of all sessions to come. */
    abstract protected function byDefault(string $level): void;

    abstract protected function usualLevel(): string;

    /** Lets the server end a connection. */
    abstract protected function close(Connection $connection): void;

    private function redeploy(int $slots): void
    {
        $this->connect()->change('UPDATE larder_ledger SET slots = ' . $slots);
        $this->ledger(slots: $slots)->deploy();
    }

    private static function running(): ServerProcess
    {
        return self::$server ?? throw new LogicException('It runs.');
    }
}
