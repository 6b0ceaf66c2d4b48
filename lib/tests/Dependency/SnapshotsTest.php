<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency;

use Closure;
use Larder\Answer;
use Larder\Cache;
use Larder\Dependency\Change;
use Larder\Dependency\Gates;
use Larder\Dependency\LedgerVersions;
use Larder\Dependency\PdoSource;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\TrackedSource;
use Larder\Dependency\Unstored;
use Larder\Exception\NoTransaction;
use Larder\Metrics\MemoryCounters;
use Larder\Proof\Support\Counted;
use Larder\Proof\Support\NewsSite;
use Larder\Proof\Support\TestLog;
use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Store\OnServers;
use Larder\Testbed\Server\Program;
use Larder\Tests\Cache\HookedStore;
use Larder\Tests\Store\MemcachedServers;
use PDO;
use PDOStatement;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use ValueError;

/** A reader that sees an older state of the database than the versions are of. */
#[CoversClass(PdoSource::class)]
#[CoversClass(TrackedSource::class)]
#[CoversClass(Gates::class)]
#[CoversClass(Unstored::class)]
final class SnapshotsTest extends TestCase
{
    private NewsSite $news;
    private MemoryCounters $counters;
    private TestLog $log;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
        $this->counters = new MemoryCounters();
        $this->log = new TestLog();
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    /**
     * @return iterable<string, array{Closure(PDO): mixed, string}> what the reader did before its compute, on a
     *     connection that Gates know; why its value is not stored
     */
    public static function snapshots(): iterable
    {
        $cursor = static function (PDO $pdo): PDOStatement {
            $statement = $pdo->query('SELECT id FROM news');
            self::assertInstanceOf(PDOStatement::class, $statement);
            $statement->fetch();

            return $statement;
        };
        yield 'nothing' => [static fn(): null => null, ''];
        yield 'a cursor that was closed' => [static fn(PDO $pdo): bool => $cursor($pdo)->closeCursor(), ''];
        yield 'a cursor that was read to its end' => [static fn(PDO $pdo): array => $cursor($pdo)->fetchAll(), ''];
        yield 'an unfinished cursor' => [$cursor, 'old_snapshot'];
        yield 'an unfinished cursor of a prepared statement' => [static function (PDO $pdo): PDOStatement {
            $statement = $pdo->prepare('SELECT id FROM news WHERE id = ?');
            $statement->execute([4]);
            $statement->fetchColumn();

            return $statement;
        }, 'old_snapshot'];
        foreach (['BEGIN', 'SAVEPOINT s', '/* by hand */ BEGIN'] as $begin) {
            yield $begin => [static function (PDO $pdo) use ($begin): void {
                $pdo->exec($begin);
                $pdo->prepare('SELECT 1 FROM news')->execute();
            }, 'in_transaction'];
        }
        yield 'a prepared BEGIN' => [static function (PDO $pdo): void {
            $pdo->prepare('BEGIN')->execute();
            $pdo->prepare('SELECT 1 FROM news')->execute();
        }, 'in_transaction'];
    }

    /** @param Closure(PDO): mixed $open */
    #[DataProvider('snapshots')]
    public function testWhatAnOldSnapshotShowsIsNotStored(Closure $open, string $why): void
    {
        $store = new ArrayStore();
        foreach ([$this->plain(), $this->news->connect()] as $pdo) {
            $store->clear();
            $this->write($store, 'old');
            $kept = $open($pdo);
            $this->write($store, 'new');
            $reader = $this->cache($store, $this->gates($store, $pdo));
            $given = $this->title($reader, $pdo);

            self::assertSame('new', $this->third($store));
            self::assertSame($why === '', $given === 'new', 'the reader sees what its snapshot shows');
            self::assertSame($why === '' ? 0 : 1, $this->unstored($reader, $why));
            unset($kept, $pdo);
        }
    }

    public function testAValueWithoutNamesOfAnOldSnapshotIsNotStored(): void
    {
        $store = new ArrayStore();
        $pdo = $this->plain();
        $reader = $this->cache($store, $this->gates($store, $pdo));
        $cursor = $pdo->query('SELECT id FROM news');
        self::assertInstanceOf(PDOStatement::class, $cursor);
        $cursor->fetch();
        $this->write($store, 'new');
        $reader->delete('title');

        self::assertNotSame('new', $reader->remember('title', fn(): string => $this->read($pdo)));
        self::assertFalse($reader->has('title'), 'a delete() came before it, and no other comes');
        self::assertSame(1, $this->unstored($reader, 'old_snapshot'));
    }

    /**
     * @return iterable<string, array{bool, bool, bool}> whether its versions are the ledger's; whether it is made
     *     within another one; whether a statement is not read to its end
     */
    public static function olderStates(): iterable
    {
        yield 'a part of a value, with versions in the store' => [false, true, true];
        yield 'a part of a value, with versions in the database' => [true, true, false];
        yield 'an unfinished cursor' => [true, false, true];
    }

    /** The server of the store is gone, so one process of the host makes a value for those that wait. */
    #[DataProvider('olderStates')]
    public function testWhatAnOlderStateShowsIsNotLeftToThoseThatWait(bool $strict, bool $nested, bool $cursor): void
    {
        $store = new class (new ArrayStore()) extends HookedStore implements OnServers {
            public function address(): string
            {
                return self::class . getmypid();
            }
        };
        [$pdo, $plain] = [$this->news->connect(), $this->plain()];
        $versions = $strict ? new LedgerVersions($this->news->ledger(database: $pdo)) : $this->gates($store, $pdo);
        $maker = new Cache($store, $versions, log: $this->log);
        $reader = new Cache($store, $this->gates(new ArrayStore(), $plain), log: $this->log);
        $asked = 0;
        $store->on('getOrLease', function (string $key) use (&$asked, $maker, $pdo): Answer {
            if ($key === 'title' && ++$asked === 1) {
                $this->title($maker, $pdo);
            }

            return new Answer(answered: false);
        });
        $given = '';
        $compute = function () use ($cursor, $pdo, $plain, $reader, &$given): string {
            $old = $this->read($pdo);
            $kept = $cursor ? $pdo->query('SELECT title FROM news') : null;
            $kept?->fetch();
            $this->write(new ArrayStore(), 'new');
            $given = $reader->remember('title', fn(): string => $this->read($plain));

            return $old;
        };
        try {
            $nested ? $maker->remember('outer', $compute) : $compute();
        } finally {
            foreach (['title', 'outer'] as $key) {
                $path = '/larder-' . posix_geteuid() . '/' . hash('sha256', $store->address() . "\0" . $key);
                foreach ((array) glob(sys_get_temp_dir() . $path . '*') as $file) {
                    unlink((string) $file);
                }
            }
        }

        self::assertSame(['new', 2], [$given, $asked]);
    }

    public function testWhatATransactionShowsThatTheComputeEndsIsNotStored(): void
    {
        $store = new ArrayStore();
        $pdo = $this->plain();
        $pdo->exec('BEGIN');
        $this->read($pdo);
        $this->write($store, 'new');
        $reader = $this->cache($store, $this->gates($store, $pdo));
        $reader->remember('title', function () use ($pdo): string {
            $title = $this->read($pdo);
            $pdo->exec('COMMIT');

            return $title;
        }, reads: ['news:4']);

        self::assertSame('new', $this->third($store));
    }

    #[TestWith(['array'])]
    #[TestWith(['memcached'])]
    public function testWhatIsReadByAConnectionOfWhichNothingIsKnownIsNotStored(string $kind): void
    {
        $servers = null;
        if ($kind === 'memcached') {
            self::assertTrue(\extension_loaded('larder'), 'tools/phpunit lib loads the extension.');
            self::assertNotNull(Program::find('memcached'), 'script/setup installs memcached.');
            $servers = new MemcachedServers(1);
        }
        $store = $servers?->client() ?? new ArrayStore();
        try {
            $this->write($store, 'old');
            $pdo = $this->plain();
            $pdo->beginTransaction();
            $pdo->prepare('SELECT 1 FROM news')->execute();
            $this->write($store, 'new');
            $reader = $this->cache($store, null);

            self::assertSame('old', $this->title($reader, $pdo));
            self::assertSame('new', $this->third($store));
            self::assertSame(1, $this->unstored($reader, 'unknown_snapshot'));
            self::assertStringContainsString(
                'The value of title was not stored: what is read now may be older than its versions',
                $this->log->lines()[0] ?? '',
            );
            self::assertStringContainsString('give Gates the connection', $this->log->lines()[0]);

            $reader->remember('no names', static fn(): string => 'bounded by its ttl', 3600.0);
            self::assertTrue($reader->has('no names'));
        } finally {
            $servers?->stop();
        }
    }

    public function testTheApplicationMaySayWhetherItsTransactionIsOpen(): void
    {
        $store = new ArrayStore();
        $isOpen = true;
        $reader = $this->cache($store, new Gates($store, inTransaction: static function () use (&$isOpen): bool {
            return $isOpen;
        }));
        $reader->remember('k', static fn(): int => 1, reads: ['news:4']);
        self::assertFalse($reader->has('k'));
        self::assertSame(1, $this->unstored($reader, 'in_transaction'));
        $isOpen = false;
        $reader->remember('k', static fn(): int => 1, reads: ['news:4']);
        self::assertTrue($reader->has('k'));
        $isOpen = true;
        self::assertFalse($reader->has('k'), 'it may have written');

        $isOpen = false;
        $reader->change(['news:4'], static function (Change $change) use (&$isOpen): void {
            $isOpen = true;
            $change->check();
            $isOpen = false;
        });
        $this->expectException(NoTransaction::class);
        $this->expectExceptionMessage('left a transaction open');
        try {
            $reader->change(['news:4'], static function () use (&$isOpen): void {
                $isOpen = true;
            });
        } finally {
            $isOpen = false;
            self::assertNull((new Gates($store, inTransaction: static fn(): bool => false))
                ->make(static fn(): int => 1, ['news:4'], null)->stamps, 'COMMIT may still come');
        }
    }

    public function testTheApplicationMayBeginAndCommitOnAConnectionThatIsKnown(): void
    {
        $store = new ArrayStore();
        $pdo = $this->plain();
        $gates = new Gates($store, $pdo, inTransaction: $pdo->inTransaction(...));
        $reader = $this->cache($store, $gates);
        $this->title($reader, $pdo);
        self::assertTrue($reader->has('title'));
        $reader->change(['news:4'], static function (Change $change) use ($pdo): void {
            $pdo->beginTransaction();
            $pdo->exec("UPDATE news SET title = 'new' WHERE id = 4");
            $change->check();
            $pdo->commit();
        });
        $kept = $pdo->query('SELECT id FROM news');
        self::assertInstanceOf(PDOStatement::class, $kept);
        $kept->fetch();

        self::assertSame('new', $this->title($reader, $pdo));
        self::assertFalse($reader->has('title'));
        self::assertSame(1, $this->unstored($reader, 'old_snapshot'));
    }

    public function testALedgerBeginsAndCommitsByItself(): void
    {
        $this->expectException(ValueError::class);
        new Gates(new ArrayStore(), ledger: $this->news->ledger, inTransaction: static fn(): bool => false);
    }

    /** @return iterable<string, array{Closure(self, Cache, PDO): string}> how a compute reads */
    public static function within(): iterable
    {
        yield 'recorded' => [static fn(self $test, Cache $cache, PDO $pdo): string => $pdo instanceof RecordingPdo
            ? Ledgered::title($pdo)
            : '?'];
        yield 'told' => [static function (self $test, Cache $cache, PDO $pdo): string {
            $title = $test->read($pdo);
            $cache->reads('news:4');

            return $title;
        }];
        yield 'another value' => [static fn(self $test, Cache $cache, PDO $pdo): string => $test->title($cache, $pdo)];
    }

    /** @param Closure(self, Cache, PDO): string $read */
    #[DataProvider('within')]
    public function testWhatIsReadBesideACursorOfTheSameComputeIsStoredUnlessItChanged(Closure $read): void
    {
        $this->news->database->exec("INSERT INTO comment VALUES (1, 4, 'a'), (2, 4, 'b')");
        foreach (['news:4' => false, 'news:5' => true] as $changed => $isStored) {
            $store = new ArrayStore();
            $pdo = $this->dataName() === 'recorded' ? $this->news->connect() : $this->plain();
            $reader = $this->cache($store, $this->gates($store, $pdo));
            $this->write($store, 'old');
            $reader->remember('around', function () use ($store, $reader, $pdo, $read, $changed): string {
                $statement = $pdo->prepare('SELECT id FROM comment');
                $statement->execute();
                $statement->fetch();
                $this->write($store, 'new', $changed);
                $title = $read($this, $reader, $pdo);
                self::assertSame('old', $title);

                return $title;
            });

            self::assertSame($isStored, $reader->has('around'), $changed);
        }
    }

    public function testLookingAtTheConnectionLeavesNoTraceOnIt(): void
    {
        $pdo = $this->plain();
        $pdo->exec("INSERT INTO comment VALUES (77, 4, 'a'), (78, 4, 'b')");
        $rows = $pdo->query('SELECT id FROM news UNION ALL SELECT id FROM comment ORDER BY 1');
        self::assertInstanceOf(PDOStatement::class, $rows);
        $seen = [$rows->fetchColumn()];
        $source = new PdoSource($pdo, null);
        foreach ([PDO::ERRMODE_EXCEPTION, PDO::ERRMODE_WARNING, PDO::ERRMODE_SILENT] as $mode) {
            $pdo->setAttribute(PDO::ATTR_ERRMODE, $mode);
            self::assertSame([false, Unstored::OldSnapshot], [$source->inTransaction(), $source->doubt()]);
            $seen[] = $rows->fetchColumn();
        }
        self::assertSame([4, 5, 77, 78], $seen);
        self::assertFalse($rows->fetchColumn());
        self::assertNull($source->doubt());
        self::assertSame('78', $pdo->lastInsertId());
        $pdo->exec('BEGIN');
        self::assertTrue($source->inTransaction());
        $pdo->exec('ROLLBACK');
        self::assertFalse($source->inTransaction());
        $pdo->exec('PRAGMA query_only = 1');
        self::assertSame(Unstored::UnknownSnapshot, $source->doubt(), 'it cannot be asked');
    }

    private function plain(): PDO
    {
        return new PDO('sqlite:' . $this->news->directory->path . '/site.sqlite');
    }

    private function cache(Store $store, ?Gates $gates): Cache
    {
        return new Cache($store, $gates, log: $this->log, counters: $this->counters);
    }

    private function gates(Store $store, PDO $pdo): Gates
    {
        return new Gates($store, $pdo, registry: $this->news->registry);
    }

    private function read(PDO $pdo): string
    {
        $select = 'SELECT title FROM news WHERE id = 4';
        if ($pdo instanceof RecordingPdo) {
            $title = $pdo->select($select, [], $pdo->registry()->row('news', 4))[0]['title'] ?? null;
        } else {
            $statement = $pdo->prepare($select);
            $statement->execute();
            $title = $statement->fetchColumn();
        }

        return \is_string($title) ? $title : '?';
    }

    private function title(Cache $cache, PDO $pdo): string
    {
        return $cache->remember('title', fn(): string => $this->read($pdo), 3600.0, reads: ['news:4']);
    }

    /** What a process gets that is started afterwards. */
    private function third(Store $store): string
    {
        $pdo = $this->plain();

        return $this->title(new Cache($store, $this->gates($store, $pdo)), $pdo);
    }

    private function write(Store $store, string $title, string $name = 'news:4'): void
    {
        $pdo = $this->plain();
        $write = $pdo->prepare('UPDATE news SET title = ? WHERE id = 4');
        $cache = new Cache($store, $this->gates($store, $pdo));
        $cache->change([], static function (Change $change) use ($write, $title, $name): void {
            $change->name($name, trust: true);
            $write->execute([$title]);
        });
    }

    private function unstored(Cache $cache, string $why): int
    {
        $cache->flush();
        $count = Counted::by($this->counters)["larder_cache_unstored_total{cause=\"$why\"}"] ?? 0;
        $this->counters = new MemoryCounters();

        return $count;
    }
}
