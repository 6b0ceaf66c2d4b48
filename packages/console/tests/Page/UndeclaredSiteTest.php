<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Console\DependencyExplanation;
use Larder\Console\Doctor\Check;
use Larder\Console\Doctor\SchemaChecks;
use Larder\Exception\UnknownName;
use Larder\Page\Pages;
use Larder\Page\Release;
use Larder\Page\Response;
use Larder\Page\Site;
use Larder\Sql\Ledger\LearnedSets;
use Larder\Sql\Schema\Registry;
use Larder\Tests\Support\NewsSite;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** A site that declares no table: all that Larder knows of the database it reads there. */
#[CoversClass(Site::class)]
#[CoversClass(Release::class)]
#[CoversClass(SchemaChecks::class)]
#[CoversClass(DependencyExplanation::class)]
final class UndeclaredSiteTest extends TestCase
{
    private NewsSite $news;

    protected function setUp(): void
    {
        $this->news = new NewsSite(registry: new Registry());
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    public function testPlainSqlMakesPagesAndDropsThem(): void
    {
        $release = Pages::of($this->news->site)->deploy('r2');
        self::assertSame(['comment', 'news'], array_reverse(array_values($release->policies())[0]->tables));
        $page = fn(): ?string => $this->news->get('/news/4', fn(): Response => NewsSite::html(
            'news ' . json_encode($this->news->database->query('SELECT title FROM news')->fetchAll()),
        ))->header('cache-status');
        self::assertSame('larder; fwd=miss; stored', $page());
        self::assertSame('larder; hit', $page());
        self::assertSame(['news', 'news!'], $this->news->ledger->index()->namesOf('/news/4'));

        $this->news->connect()->exec("INSERT INTO comment VALUES (1, 4, 'first')");
        self::assertSame('larder; hit', $page());
        $this->news->connect()->exec("UPDATE news SET title = 'x' WHERE id = 5");
        self::assertFalse($this->news->stores('/news/4'));
    }

    /** Of such a statement some words are columns of Larder's own tables. */
    public function testTablesMayHaveTheNamesOfTheLedgersColumns(): void
    {
        foreach (['page', 'slot', 'version', 'release', 'route', 'id', 'l', 'p', 'present', 'tbl'] as $name) {
            $this->news->database->exec("CREATE TABLE $name (id INTEGER PRIMARY KEY)");
        }
        $this->news->database->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_OBJ);
        foreach ([
            'DELETE FROM news WHERE id = 4',
            'INSERT INTO news (id) SELECT 4 FROM larder_slot LIMIT 1',
        ] as $write) {
            self::assertSame('larder; fwd=miss; stored', $this->news->get('/news/4')->header('cache-status'));
            $this->news->connect()->run($write);
            self::assertFalse($this->news->stores('/news/4'));
        }
    }

    public function testAControllerNamesTablesOfTheDatabase(): void
    {
        $this->news->database->exec('DROP TABLE comment');
        $this->expectException(UnknownName::class);
        $this->expectExceptionMessage('"comment"');
        Pages::of($this->news->site)->deploy('r2');
    }

    public function testAWordThatNamesATableIsDroppedWithIt(): void
    {
        $registry = $this->news->database->registry();
        $names = array_map(strval(...), $registry->reads(['news:04', 'front page', 'news?category=net', '#news:4']));
        self::assertSame(
            ['news:04', 'news:4', 'news!', 'front page', 'news?category=net', 'news', '#news:4'],
            $names,
        );
    }

    public function testDoctorAndExplainSayWhatWasLearned(): void
    {
        $database = $this->news->database;
        $database->exec('CREATE TABLE tag (a INTEGER, b INTEGER, PRIMARY KEY (a, b))');
        (new LearnedSets($database->tracker()))->add(['news' => [['category'], ['author', 'category']]]);

        $checks = array_column(array_map(
            static fn(Check $check): array => [$check->name, $check->state . ': ' . $check->remedy],
            (new SchemaChecks($database))->checks(),
        ), 1, 0);
        self::assertSame(
            'ok: its rows are named by id; column sets that were learned: news?category, news?author&category',
            $checks['news is known from the schema'] ?? null,
        );
        self::assertSame(
            'ok: no column names its rows; column sets that were learned: none yet',
            $checks['tag is known from the schema'] ?? null,
        );
        $explained = (new DependencyExplanation($this->news->ledger))->of('news?category=net');
        self::assertSame('news?category=net', $explained->values['dependency']);
        self::assertSame(['news?category', 'news?author&category'], $explained->values['learned']);
    }
}
