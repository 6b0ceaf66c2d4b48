<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\NotedChanges;
use Larder\Page\Pages;
use Larder\Page\Response;
use Larder\Tests\Support\NewsSite;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** Every change of a site is counted and noted once it is committed, by whichever connection it came. */
#[CoversClass(NotedChanges::class)]
final class NotedChangesTest extends TestCase
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

    public function testAnEditIsNotedWithItsNamesAndPages(): void
    {
        $this->news->get('/news/4');
        $this->news->get('/news/5', fn(): Response => $this->news->item(5));
        $this->news->connect()->exec("UPDATE news SET title = 'new' WHERE id = 4");
        [$note] = Pages::of($this->news->site)->changes()->recent(1);

        self::assertSame(['rows', ['/news/4']], [$note['cause'], $note['pages']]);
        self::assertContains('news:4', $note['names']);
        self::assertSame([
            'larder_changes_total{table="news"}' => 1,
            'larder_pages_dropped_total{cause="rows",table="news"}' => 1,
        ], $this->counted());
    }

    public function testWhatIsTakenBackIsNotNoted(): void
    {
        $this->news->get('/news/4');
        $database = $this->news->connect();
        $database->beginTransaction();
        $database->exec("UPDATE news SET title = 'new' WHERE id = 4");
        $database->rollBack();

        self::assertSame([], $this->counted());
        self::assertSame([], $this->changes());
    }

    public function testBulkSeveralTablesAndEverything(): void
    {
        $this->news->get('/news/4');
        $database = $this->news->connect();
        $database->exec("UPDATE news SET id = id + 100");
        $this->news->get('/news/4', function (): Response {
            $this->news->database->query('SELECT n.title, c.text FROM news n JOIN comment c ON c.news_id = n.id');

            return NewsSite::html('x');
        });
        $database->beginTransaction();
        $database->exec("INSERT INTO comment VALUES (1, 104, 'x')");
        $database->exec("INSERT INTO news VALUES (9, 'a', 'b', 'c')");
        $database->commit();
        Pages::of($this->news->site)->ledger($database)->flush();

        self::assertSame([
            'larder_changes_total{table="comment"}' => 1,
            'larder_changes_total{table="news"}' => 2,
            'larder_page_flushes_total' => 1,
            'larder_pages_dropped_total{cause="bulk",table="news"}' => 1,
            'larder_pages_dropped_total{cause="rows",table="several"}' => 1,
        ], $this->counted());
        self::assertSame(['all', 'rows', 'bulk'], array_column($this->changes(), 'cause'));
    }

    public function testAPageThatMakesRoomIsNoChangeOfATable(): void
    {
        $this->news->remove();
        $this->news = new NewsSite(bytes: 40_000, routeShare: 1.0);
        foreach (range(1, 6) as $id) {
            $this->news->get("/news/$id");
        }
        $dropped = $this->counted()['larder_pages_dropped_total{cause="room",table=""}'] ?? 0;

        self::assertGreaterThanOrEqual(1, $dropped);
        self::assertArrayNotHasKey('larder_changes_total{table=""}', $this->counted());
    }

    public function testWhoWroteIsARequestWithoutItsQueryOrAScript(): void
    {
        $server = $_SERVER;
        $write = fn(): int|false => $this->news->connect()->exec("INSERT INTO news (title) VALUES ('x')");
        try {
            $_SERVER['REQUEST_METHOD'] = 'POST';
            $_SERVER['REQUEST_URI'] = '/edit/4?password=1';
            $write();
            unset($_SERVER['REQUEST_METHOD']);
            $_SERVER['argv'] = ['/site/bin/import', '--password=1'];
            $write();
            $_SERVER['argv'] = ['vendor/bin/larder', 'flush'];
            $write();
            $_SERVER['argv'] = null;
            $write();
        } finally {
            $_SERVER = $server;
        }

        self::assertSame(['', 'larder flush', 'import', 'POST /edit/4'], array_column($this->changes(), 'by'));
    }

    /** @return list<array{cause: string, by: string}> */
    private function changes(): array
    {
        return Pages::of($this->news->site)->changes()->recent(9);
    }

    /** @return array<string, int|float> */
    private function counted(): array
    {
        $expression = '/^larder_(?:changes|pages_dropped|page_flushes)_total/';

        return array_filter(
            Pages::of($this->news->site)->counters()->all(),
            static fn(string $series): bool => preg_match($expression, $series) === 1,
            ARRAY_FILTER_USE_KEY,
        );
    }
}
