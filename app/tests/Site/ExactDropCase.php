<?php

declare(strict_types=1);

namespace App\Tests\Site;

use Larder\Dependency\Change;
use Larder\Page\Pages;
use Larder\Sql\Tracker\RowChange;
use PDO;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RuntimeException;

/** Which pages a change takes away, out of all pages of the site: those made from what it changed, and no other. */
abstract class ExactDropCase extends TestCase
{
    /** Made from the whole table of items. */
    private const OF_ALL_ITEMS = ['/', '/categories', '/feed'];

    private static LiveSite $site;

    /** @var array<string, string> body by URI, of all pages */
    private array $bodies;

    /** @var list<string> their keys in the page store */
    private array $before;

    /** @return array<string, string> of the site */
    abstract protected static function environment(): array;

    public static function setUpBeforeClass(): void
    {
        self::$site = LiveSite::example(static::environment());
        self::$site->warmUp();
    }

    public static function tearDownAfterClass(): void
    {
        self::$site->stop();
    }

    protected function setUp(): void
    {
        self::$site->flush();
        $this->bodies = Crawl::bodies(self::$site);
        $this->before = self::$site->keys();
        self::assertCount(\count($this->bodies), $this->before, 'Every page of the site is stored.');
        self::assertSame(Crawl::exact(array_keys($this->bodies)), Crawl::exact($this->before));
        self::assertGreaterThan(75, \count($this->before));
    }

    /** @return iterable<string, array{int, int}> item, how many pages show it at least */
    public static function items(): iterable
    {
        yield 'an old item' => [4, 3];
        yield 'the newest item' => [60, 5];
        yield 'an item whose number begins another\'s' => [6, 2];
    }

    #[DataProvider('items')]
    public function testACommentDropsThePagesThatShowItsItem(int $item, int $least): void
    {
        $showing = Crawl::showing($item, $this->bodies);
        self::assertGreaterThanOrEqual($least, \count($showing));
        self::assertContains('/news/' . $item, $showing);

        self::assertSame(
            303,
            self::$site->post("/news/{$item}/comment", ['author' => 'Ida', 'text' => 'as exact as can be'])->status,
        );

        self::assertDropped($showing);
        self::assertStringContainsString('as exact as can be', self::$site->get('/news/' . $item)->body);
    }

    public function testAMoveDropsBothCategoriesAndNoThird(): void
    {
        [$fields, $from] = $this->fields(31);
        $to = $from === 'jars' ? 'roots' : 'jars';
        $lists = array_filter(
            $this->before,
            static fn(string $key): bool => preg_match("~^/(?:category|feed)/(?:{$from}|{$to})(?:\?|$)~", $key) === 1,
        );
        self::assertCount(6, $lists, 'Two categories of two pages and a feed each.');

        self::assertSame(303, self::$site->post('/news/31/edit', ['category' => $to] + $fields)->status);

        self::assertDropped([...Crawl::showing(31, $this->bodies), ...$lists, ...self::OF_ALL_ITEMS]);
        self::assertStringNotContainsString(
            '"/news/31"',
            self::$site->get('/category/' . $from)->body . self::$site->get("/category/{$from}?page=2")->body,
        );
        self::assertStringContainsString(
            '"/news/31"',
            self::$site->get('/category/' . $to)->body . self::$site->get("/category/{$to}?page=2")->body,
        );
    }

    public function testANewWordInATitleDropsTheSearchThatFoundNothing(): void
    {
        [$fields, $category] = $this->fields(17);
        $lists = array_filter(
            $this->before,
            static fn(string $key): bool => preg_match("~^/(?:category|feed)/{$category}(?:\?|$)~", $key) === 1,
        );
        $word = substr(Crawl::EMPTY_SEARCH, \strlen('/search/'));

        self::assertSame(
            303,
            self::$site->post('/news/17/edit', ['title' => $fields['title'] . ' ' . $word] + $fields)->status,
        );

        self::assertDropped([
            ...Crawl::showing(17, $this->bodies),
            ...$lists,
            ...self::OF_ALL_ITEMS,
            Crawl::EMPTY_SEARCH,
        ]);
        self::assertStringContainsString('"/news/17"', self::$site->get(Crawl::EMPTY_SEARCH)->body);
        self::assertSame(303, self::$site->post('/news/17/edit', $fields)->status);
        self::assertStringNotContainsString('"/news/17"', self::$site->get(Crawl::EMPTY_SEARCH)->body);
    }

    /** @return iterable<string, array{string, string, list<string>}> table, statement, pages that do not read it */
    public static function bulk(): iterable
    {
        yield 'items' => ['news', "UPDATE news SET author = REPLACE(author, ' ', '_')", [Crawl::EMPTY_SEARCH]];
        yield 'comments' => [
            'comment',
            "UPDATE comment SET text = REPLACE(text, ' ', '_')",
            ['/categories', Crawl::EMPTY_SEARCH],
        ];
        yield 'words' => [
            'word',
            'UPDATE word SET word = word',
            array_merge(
                ['/', '/categories', '/feed'],
                array_map(static fn(int $id): string => '/news/' . $id, range(1, 60)),
            ),
        ];
    }

    /** @param list<string> $others */
    #[DataProvider('bulk')]
    public function testABulkUpdateDropsEveryPageThatReadTheTable(string $table, string $update, array $others): void
    {
        if ($table === 'word') {
            $others = [
                ...$others,
                ...array_filter(
                    array_keys($this->bodies),
                    static fn(string $uri): bool => preg_match('~^/(?:category|feed)/~', $uri) === 1,
                ),
            ];
        }
        $database = self::$site->configuration->connect();
        Pages::of(
            self::$site->site,
        )->ledger($database)->transaction(static function (RowChange $change) use ($database, $table, $update): void {
            $database->exec($update);
            $change->bulk($table);
        });

        self::assertDropped(array_diff(Crawl::exact($this->before), $others));
    }

    public function testAChangeThatFailsDropsNothing(): void
    {
        $database = self::$site->configuration->connect();
        try {
            Pages::of(
                self::$site->site,
            )->ledger($database)->transaction(static function () use ($database): never {
                $database->exec("UPDATE news SET title = 'gone' WHERE id = 4");
                throw new RuntimeException('the writer gives up');
            });
        } catch (RuntimeException) {
            self::assertDropped([]);
        }
        self::assertStringNotContainsString('gone', self::$site->get('/news/4')->body);
    }

    /** @param array<array-key, string> $expected */
    private function assertDropped(array $expected): void
    {
        self::assertSame([], array_diff(self::$site->keys(), $this->before), 'A change makes no page.');
        self::assertSame(Crawl::exact($expected), Crawl::exact(array_diff($this->before, self::$site->keys())));
        self::assertSame([], array_diff(Crawl::timed($this->before), self::$site->keys()), 'Pages of policy ttl stay.');
    }

    /**
     * @return array{array<string, string>, string} what the edit form sends when nothing is changed, and the category
     */
    private function fields(int $item): array
    {
        $row = self::$site->configuration->connect()
            ->run('SELECT title, summary, body, category FROM news WHERE id = ?', [$item])
            ->fetch(PDO::FETCH_ASSOC);
        self::assertIsArray($row);
        $fields = array_map(static fn(mixed $value): string => \is_string($value) ? $value : '', $row);

        /** @var array<string, string> $fields */
        return [$fields, $fields['category'] ?? ''];
    }
}
