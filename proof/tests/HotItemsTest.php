<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Proof\Pages\DbalWriter;
use Larder\Proof\Pages\HotItems;
use Larder\Proof\Pages\MysqliWriter;
use Larder\Proof\Pages\PagesTorture;
use Larder\Proof\Pages\PdoWriter;
use Larder\Proof\Pages\Writer;
use Larder\Proof\Pages\WriterKind;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Site\DeployedSite;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

#[CoversClass(HotItems::class)]
final class HotItemsTest extends TestCase
{
    private TemporaryDirectory $directory;
    private ?Database $place = null;
    private PDO $database;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        unset($this->database);
        $this->place?->stop();
        $this->directory->remove();
    }

    /** @return iterable<string, array{DatabaseKind}> */
    public static function kinds(): iterable
    {
        foreach (DatabaseKind::cases() as $kind) {
            yield $kind->value => [$kind];
        }
    }

    #[DataProvider('kinds')]
    public function testTheyAreTheNewest(DatabaseKind $kind): void
    {
        $this->start($kind);
        self::assertSame(range(HotItems::COUNT, 1), HotItems::of($this->database)->ids);
        HotItems::install($this->database);
        $items = HotItems::of($this->database);
        self::assertSame(range(2 * HotItems::COUNT, HotItems::COUNT + 1), $items->ids);
        $states = $items->states();
        self::assertCount(HotItems::COUNT, $states);
        self::assertSame([1, 0], [$states[21]->version, $states[21]->comments]);
        self::assertEqualsCanonicalizing(
            HotItems::CATEGORIES,
            array_values(array_unique(array_column($states, 'category'))),
        );
    }

    public function testATextTellsVersionsAndComments(): void
    {
        $text = '<h1>[7:5]</h1> [8:12] [7:4] [7:9] [x:1] [9#3]';
        self::assertSame([7 => 4, 8 => 12], HotItems::versions($text), 'the lowest of each');
        self::assertSame([7 => 2, 8 => 1], HotItems::comments('[7#1] [7#2] [8#1] [7:5]'), 'the last of each');
        self::assertSame([], HotItems::versions('nothing'));
    }

    #[TestWith([DatabaseKind::Sqlite])]
    #[TestWith([DatabaseKind::MariaDb])]
    public function testTheSitesPagesShowThem(DatabaseKind $kind): void
    {
        $place = $this->start($kind);
        $this->comment(20, '[20#1]');
        $site = DeployedSite::start(PagesTorture::site(), $this->directory->path . '/site', $place, 1);
        try {
            $connection = new Connection('127.0.0.1:' . $site->running->port);
            $page = $connection->request('/news/20')->body ?? '';
            self::assertSame([[20 => 1], [20 => 1]], [HotItems::versions($page), HotItems::comments($page)]);
            foreach (['/', '/feed'] as $uri) {
                $list = $connection->request($uri)->body ?? '';
                self::assertCount(HotItems::COUNT, HotItems::versions($list), "all of them fit on $uri");
            }
            $this->changesOnlyEverRaiseNumbers($site->site, $place);
        } finally {
            $site->stop();
        }
    }

    #[DataProvider('kinds')]
    public function testStatesAreWhatASelectSees(DatabaseKind $kind): void
    {
        $this->start($kind);
        $items = HotItems::of($this->database);
        $this->database->exec("UPDATE news SET title = '[5:77]', category = 'hot-c' WHERE id = 5");
        $this->comment(5, '[5#1]');
        $this->comment(5, '[5#2]');
        $state = $items->states()[5];
        self::assertSame([77, 'hot-c', 2], [$state->version, $state->category, $state->comments]);
    }

    private function start(DatabaseKind $kind): Database
    {
        $place = Database::start($kind, $this->directory->path . '/data');
        HotItems::fill($place, PagesTorture::site());
        $this->place = $place;
        $this->database = $place->connect();

        return $place;
    }

    private function changesOnlyEverRaiseNumbers(Site $site, Database $place): void
    {
        $pages = Pages::of($site);
        $database = $pages->follow(new RecordingPdo($place->dsn, user: $place->user, password: $place->password));
        $ledger = Pages::of($site)->ledger($database);
        $items = HotItems::of($database);
        $writers = array_map(static fn(WriterKind $kind): Writer => match ($kind) {
            WriterKind::Pdo => new PdoWriter($database),
            WriterKind::Dbal => new DbalWriter($site, $place, new Registry()),
            WriterKind::Mysqli => new MysqliWriter($pages->follow(MysqliWriter::connect($place, new Registry()))),
        }, WriterKind::on($place->kind));
        $raised = 0;
        for ($i = 0; $i < 60; ++$i) {
            $before = $items->states();
            $writer = $writers[$i % \count($writers)];
            $i % 4 === 0 ? $items->changeTold($ledger, $writers[0]) : $items->change($writer);
            foreach ($items->states() as $id => $state) {
                $versions = $state->version - $before[$id]->version;
                $comments = $state->comments - $before[$id]->comments;
                self::assertGreaterThanOrEqual(0, min($versions, $comments));
                self::assertContains($state->category, HotItems::CATEGORIES);
                $raised += $versions + $comments;
            }
        }
        self::assertGreaterThanOrEqual(60, $raised, 'each raises at least one');
    }

    private function comment(int $item, string $text): void
    {
        $this->database
            ->prepare("INSERT INTO comment (news_id, author, text, created_at) VALUES (?, 'Bo', ?, '2026-01-02')")
            ->execute([$item, $text]);
    }
}
