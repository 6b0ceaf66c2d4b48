<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency;

use Larder\Cache;
use Larder\Dependency\Change;
use Larder\Dependency\ColumnType;
use Larder\Dependency\Gates;
use Larder\Dependency\LedgerVersions;
use Larder\Dependency\Protocol\SqlState;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Larder\Dependency\SqlLedger;
use Larder\Dependency\Table;
use Larder\Exception\ChangeFailed;
use Larder\Exception\NoTransaction;
use Larder\Exception\UnknownName;
use Larder\Proof\Support\NewsSite;
use Larder\Store\ArrayStore;
use Larder\Tests\Cache\HookedStore;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use RuntimeException;

#[CoversClass(LedgerVersions::class)]
#[CoversClass(SqlState::class)]
#[CoversClass(SqlLedger::class)]
final class LedgerVersionsTest extends TestCase
{
    private NewsSite $news;
    private RecordingPdo $database;
    private HookedStore $store;
    private LedgerVersions $versions;
    private Cache $cache;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
        $this->database = $this->news->database;
        $this->store = new HookedStore(new ArrayStore());
        $this->versions = new LedgerVersions($this->news->ledger(database: $this->database));
        $this->cache = new Cache($this->store, $this->versions);
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    public function testAValueLivesUntilItsDataChanges(): void
    {
        self::assertSame('four', $this->value());
        self::assertTrue($this->isStored());
        $this->elsewhere('new');
        self::assertFalse($this->isStored());
        self::assertSame('new', $this->value());
        $this->cache->change([], static fn(Change $change) => $change->name('news:5', trust: true));
        self::assertTrue($this->isStored());
        $given = uniqid();
        self::assertSame($given, $this->cache->change([], function () use ($given): string {
            Ledgered::write($this->database, 'newer');

            return $given;
        }));
        self::assertSame('newer', $this->value());
    }

    public function testNamesMayBeKnownBeforeToldOrRecorded(): void
    {
        foreach ([
            fn(): mixed => $this->cache->remember('k', static fn(): int => 1, reads: ['comment:7']),
            fn(): mixed => $this->cache->remember('k', function (): int {
                $this->cache->reads('comment:7');

                return 1;
            }),
            fn(): mixed => $this->cache->remember(
                'k',
                fn() => $this->database->select(
                    'SELECT * FROM comment WHERE id = 7',
                    [],
                    $this->news->registry->row('comment', 7),
                ),
            ),
            fn(): mixed => $this->cache->remember(
                'k',
                fn(): mixed => $this->cache->remember('inner', static fn(): int => 1, reads: ['comment:7']),
            ),
            fn(): mixed => $this->cache->remember(
                'k',
                fn(): mixed => $this->cache->remember('inner', static fn(): int => 1, reads: ['comment:7']),
            ),
        ] as $make) {
            $make();
            self::assertTrue($this->isStored());
            $this->cache->change(['comment:7'], static fn(): int => 1);
            self::assertFalse($this->isStored());
        }
        $this->expectException(UnknownName::class);
        $this->cache->remember('k', static fn(): int => 1, reads: ['coment:7']);
    }

    public function testAChangeDuringAComputeEndsTheValueThatItMade(): void
    {
        foreach ([0, 1] as $told) {
            $value = $this->cache->remember('k', function () use ($told): string {
                $title = $this->database->run('SELECT title FROM news WHERE id = 4')->fetchColumn();
                $this->elsewhere("new $told");
                $told === 1 ? $this->cache->reads('news:4') : Ledgered::title($this->database);

                return \is_string($title) ? $title : '';
            });
            self::assertSame($told === 0 ? 'four' : 'new 0', $value);
            self::assertFalse($this->isStored());
        }
    }

    public function testAChangeBetweenTheSnapshotAndTheStoreIsSeen(): void
    {
        $this->store->once('set', function (): void {
            $this->elsewhere('new');
        });

        self::assertSame('four', $this->value());
        self::assertFalse($this->isStored());
    }

    public function testAnInnerValueBelongsToTheStateOfTheOuterOne(): void
    {
        $seen = $this->cache->remember('outer', function (): array {
            $before = Ledgered::title($this->database);
            $this->value();
            $this->elsewhere('new');
            self::assertTrue($this->isStored(), 'in this state it still is');

            return [$before, $this->value(), Ledgered::title($this->database)];
        });

        self::assertSame(['four', 'four', 'four'], $seen);
        self::assertFalse($this->isStored());
        self::assertFalse($this->cache->has('outer'));
    }

    public function testAValueMadeWithinAnotherIsStoredWithTheVersionsOfThatState(): void
    {
        $this->cache->remember('outer', function (): string {
            Ledgered::title($this->database, 5);
            $this->elsewhere('new');

            return $this->value();
        });

        self::assertFalse($this->isStored());
        self::assertSame('new', $this->value());
        self::assertTrue($this->isStored());
    }

    public function testInATransactionNothingIsStoredAndAfterAWriteNothingIsServed(): void
    {
        $this->database->beginTransaction();
        $this->value();
        self::assertFalse($this->isStored());
        $this->database->rollBack();
        $this->value();

        $this->database->beginTransaction();
        self::assertTrue($this->isStored());
        $this->database->run("UPDATE comment SET text = 'x'");
        self::assertFalse($this->isStored());
        self::assertSame('four', $this->value());
        $this->expectException(NoTransaction::class);
        try {
            $this->cache->change([], static fn(): int => 1);
        } finally {
            $this->database->rollBack();
            self::assertTrue($this->isStored());
        }
    }

    public function testAComputeThatWritesIsNotStored(): void
    {
        $made = $this->versions->make(function (): string {
            $inner = $this->versions->make(function (): void {
                Ledgered::title($this->database);
                $this->database->exec("INSERT INTO comment VALUES (1, 4, 'x')");
            }, [], null);
            self::assertSame('a statement writes', $inner->refusal);
            self::assertSame(
                'the read transaction around it is over',
                $this->versions->make(fn(): string => Ledgered::title($this->database), [], null)->refusal,
            );

            return $this->value();
        }, [], null);

        self::assertSame(['four', null, 'a statement writes'], [$made->value, $made->stamps, $made->refusal]);
        self::assertFalse($this->isStored());
        $this->value();
        self::assertTrue($this->isStored(), 'it is over with it');
    }

    public function testVersionsOfAnotherLedgerCountForNothing(): void
    {
        $other = new NewsSite();
        try {
            $this->value();
            $strange = new Cache($this->store, new LedgerVersions($other->ledger(database: $other->database)));
            self::assertFalse($strange->has('k'));
            $gates = new Cache($this->store, new Gates($this->store, inTransaction: static fn(): bool => false));
            self::assertFalse($gates->has('k'));
            $gates->remember('k', static fn(): string => 'by gates', reads: ['news:4']);
            self::assertTrue($gates->has('k'));
            self::assertFalse($this->isStored());
        } finally {
            $other->remove();
        }
    }

    public function testAProcessWithAnotherRegistryStoresNothing(): void
    {
        $registry = new Registry(new Table('news', 'id', ['id' => ColumnType::Integer]));
        $database = new RecordingPdo('sqlite:' . $this->news->directory->path . '/site.sqlite', $registry);
        $made = (new LedgerVersions($this->news->ledger(database: $database)))->make(
            static fn(): int => 1,
            ['news:4'],
            null,
        );

        self::assertSame('The ledger was deployed with another registry than this process has.', $made->refusal);
    }

    public function testWithoutALedgerItIsAMissAndAChangeFails(): void
    {
        $this->value();
        $this->database->exec('DROP TABLE larder_slot');
        self::assertFalse($this->isStored());
        self::assertSame('four', $this->value());

        $this->expectException(ChangeFailed::class);
        $this->cache->change(['news:4'], static fn(): int => 1);
    }

    public function testWhatTheWriterThrowsComesThrough(): void
    {
        $this->value();
        try {
            $this->cache->change(['news:4'], function (): never {
                Ledgered::write($this->database, 'never');
                throw new RuntimeException('no');
            });
        } catch (RuntimeException $exception) {
            self::assertSame('no', $exception->getMessage());
        }

        self::assertTrue($this->isStored(), 'nothing changed');
    }

    private function elsewhere(string $title): void
    {
        $database = $this->news->connect();
        $this->news->ledger(database: $database)->transaction(
            static fn() => Ledgered::write($database, $title),
        );
    }

    private function value(): string
    {
        return $this->cache->remember('k', fn(): string => Ledgered::title($this->database));
    }

    private function isStored(): bool
    {
        return $this->cache->has('k');
    }
}
