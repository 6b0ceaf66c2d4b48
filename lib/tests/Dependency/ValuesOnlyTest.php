<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency;

use Larder\Bridge\Symfony\TaggedCache;
use Larder\Cache;
use Larder\Dependency\Change;
use Larder\Dependency\Gates;
use Larder\Dependency\LedgerVersions;
use Larder\Dependency\Protocol\NoPages;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Larder\Dependency\SqlLedger;
use Larder\Exception\ChangeFailed;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\UnknownName;
use Larder\Proof\Support\NewsSite;
use Larder\Store\ArrayStore;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Symfony\Contracts\Cache\ItemInterface;

/** Strict values of a database whose site keeps no pages, and names of no table. */
#[CoversClass(SqlLedger::class)]
#[CoversClass(NoPages::class)]
#[CoversClass(LedgerVersions::class)]
#[CoversClass(Registry::class)]
final class ValuesOnlyTest extends TestCase
{
    private NewsSite $news;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    public function testStrictValuesNeedNoPages(): void
    {
        $cache = new Cache(new ArrayStore(), new LedgerVersions($this->ledgerOfValues($this->news->registry)));
        $cache->remember('k', static fn(): int => 1, reads: ['news:4']);
        $cache->change([], static fn(Change $change) => $change->name('news:5', trust: true));
        self::assertTrue($cache->has('k'));
        $cache->change(['news:4'], static fn(): null => null);
        self::assertFalse($cache->has('k'));
    }

    public function testPlainSqlIsEnoughWhereNothingIsDeclared(): void
    {
        $ledger = $this->ledgerOfValues(new Registry());
        $database = $ledger->connection();
        self::assertInstanceOf(RecordingPdo::class, $database);
        $database->exec('CREATE TABLE news (title TEXT); CREATE TABLE comment (news_id INT)');
        $database->exec("INSERT INTO news VALUES ('four')");
        foreach ([new Gates(new ArrayStore(), $database), new LedgerVersions($ledger)] as $versions) {
            $cache = new Cache(new ArrayStore(), $versions);
            $cache->remember('titles', static fn(): mixed => $database->query('SELECT title FROM news')->fetchAll());
            $cache->change([], static fn() => $database->exec('INSERT INTO comment (news_id) VALUES (4)'));
            self::assertTrue($cache->has('titles'));
            $cache->change(['a word'], static fn() => $database->exec("UPDATE news SET title = title || '!'"));
            self::assertFalse($cache->has('titles'));
        }
    }

    public function testALedgerWithPagesIsNotTakenForOneOfValuesOnly(): void
    {
        $this->news->get('/news/4');
        $ledger = SqlLedger::forValues($this->news->database);
        $cache = new Cache(new ArrayStore(), new LedgerVersions($ledger));
        foreach ([
            LedgerUnavailable::class => $ledger->deploy(...),
            ChangeFailed::class => fn() => $cache->change([], fn() => Ledgered::write($this->news->database, 'never')),
        ] as $class => $call) {
            try {
                $call();
                self::fail('It forgot the pages.');
            } catch (LedgerUnavailable|ChangeFailed $exception) {
                self::assertSame($class, $exception::class);
                self::assertStringContainsString('use Pages::of($site)->versions()', $exception->getMessage());
            }
        }
        self::assertSame(1, $this->news->ledger->index()->count()['pages']);
        self::assertSame('four', Ledgered::title($this->news->database));
    }

    public function testAWordIsOfNoTable(): void
    {
        foreach ([$this->news->registry, new Registry()] as $registry) {
            $versions = new LedgerVersions($this->ledgerOfValues($registry));
            $store = new ArrayStore();
            $cache = new Cache($store, $versions);
            $word = $registry->tables() === [] ? 'front: page?' : '#front: page?';
            $around = static fn(): int => $cache->remember('k', static fn(): int => 1, reads: [$word]);
            $cache->remember('around', $around);
            $cache->remember('around again', $around);
            $cache->change(['#back'], static fn(): null => null);
            self::assertTrue($cache->has('around again'));
            $cache->change([], static fn(Change $change) => $change->name($word));
            self::assertSame([false, false, false], array_map($cache->has(...), ['k', 'around', 'around again']));
        }
        $this->expectException(UnknownName::class);
        $this->expectExceptionMessage('"#any text" for a word');
        $this->news->registry->name('front page');
    }

    public function testAnyTagMayBeTold(): void
    {
        $cache = new Cache(new ArrayStore(), new LedgerVersions($this->ledgerOfValues($this->news->registry)));
        $tagged = new TaggedCache($cache);
        foreach (['post-4', 'featured', 'news', 'a b?c!'] as $tag) {
            $tagged->get("of $tag", static fn(ItemInterface $item): string => $item->tag($tag)->getKey());
            self::assertTrue($tagged->invalidateTags(['other', 'news?x']));
            self::assertTrue($cache->has("of $tag"), $tag);
            self::assertTrue($tagged->invalidateTags(['other', $tag]));
            self::assertFalse($cache->has("of $tag"), $tag);
        }
        $tagged->get('k', static fn(ItemInterface $item): string => $item->tag('news')->getKey());
        $cache->change(['news:4'], static fn(): null => null);
        self::assertFalse($cache->has('k'), 'a declared table is that table');
    }

    private function ledgerOfValues(Registry $registry): SqlLedger
    {
        $ledger = SqlLedger::forValues(new RecordingPdo('sqlite::memory:', $registry));
        $ledger->deploy();
        $ledger->deploy();

        return $ledger;
    }
}
