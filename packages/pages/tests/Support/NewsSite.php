<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Closure;
use Larder\Page\Area;
use Larder\Page\FilePageStore;
use Larder\Page\Limits;
use Larder\Page\Operations;
use Larder\Page\PageCache;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Query;
use Larder\Page\Release;
use Larder\Page\Response;
use Larder\Page\Site;
use Larder\Page\Urls;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\TemporaryDirectory;
use Psr\Log\LoggerInterface;
use Psr\Log\NullLogger;

/** A small site over a real SQLite file and a real page directory: news, comments, three controllers. */
final readonly class NewsSite
{
    public TemporaryDirectory $directory;
    public Registry $registry;
    public Site $site;
    public RecordingPdo $database;
    public SqlLedger $ledger;

    /** @param Registry|null $registry null: that of registry() */
    public function __construct(
        int $bytes = 256 << 20,
        float $routeShare = 0.5,
        int $waitMilliseconds = 200,
        ?Registry $registry = null,
    ) {
        $this->directory = new TemporaryDirectory();
        $this->registry = $registry ?? self::registry();
        $this->site = self::describe($this->directory->path, $bytes, $routeShare, $waitMilliseconds, [], $registry);
        $this->database = $this->connect();
        $this->database->exec('PRAGMA journal_mode = WAL');
        $this->database->exec(
            'CREATE TABLE news (id INTEGER PRIMARY KEY, category TEXT, author TEXT COLLATE NOCASE, title TEXT)',
        );
        $this->database->exec('CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER NOT NULL, text TEXT)');
        $this->database->exec("INSERT INTO news VALUES (4, 'net', 'Bob', 'four'), (5, 'web', 'Eve', 'five')");
        Release::compile($this->site, 'r1', $this->database->registry())->save($this->site->list);
        $this->ledger = $this->ledger();
        $this->ledger->deploy();
    }

    /** @param list<string> $code */
    public static function describe(
        string $path,
        int $bytes = 256 << 20,
        float $routeShare = 0.5,
        int $waitMilliseconds = 200,
        array $code = [],
        ?Registry $registry = null,
        ?string $hitLog = null,
        bool $notes = false,
    ): Site {
        $registry ??= self::registry();

        return new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: $path . '/pages',
            list: $path . '/list.php',
            controllers: [NewsController::class, QuickController::class],
            connect: static fn(): RecordingPdo => self::open($path, $registry),
            urls: new Urls(
                areas: [new Area('/quick', ttl: 10), new Area('/feed', 'application/rss+xml; charset=utf-8')],
                queries: [new Query('/list', ['page' => '[1-9][0-9]?'])],
            ),
            limits: new Limits(bytes: $bytes, routeShare: $routeShare, waitMilliseconds: $waitMilliseconds),
            operations: new Operations(code: $code, hitLog: $hitLog, notes: $notes),
        );
    }

    public static function registry(): Registry
    {
        return new Registry(
            new Table(
                'news',
                'id',
                ['id' => ColumnType::Integer, 'category' => ColumnType::Text, 'author' => ColumnType::TextNoCase],
                [['category'], ['author'], ['category', 'author']],
            ),
            new Table('comment', 'id', ['id' => ColumnType::Integer, 'news_id' => ColumnType::Integer], [['news_id']]),
        );
    }

    public function connect(): RecordingPdo
    {
        return Pages::of($this->site)->follow(self::open(\dirname($this->site->pages), $this->registry));
    }

    private static function open(string $path, Registry $registry): RecordingPdo
    {
        $database = new RecordingPdo(
            'sqlite:' . $path . '/site.sqlite',
            $registry,
            logger: new NullLogger(),
        );
        $database->exec('PRAGMA synchronous = OFF');
        $database->exec('PRAGMA busy_timeout = 2000');

        return $database;
    }

    /** A ledger on another connection, as another process has it. */
    public function ledger(string $release = 'r1', ?RecordingPdo $database = null): SqlLedger
    {
        $pages = new FilePageStore($this->site->pages, $release);

        return (new SqlLedger($database ?? $this->connect(), $pages, $release))->follow();
    }

    public function cache(LoggerInterface $logger = new NullLogger(), bool $strict = false): PageCache
    {
        return Pages::of($this->site)->pageCache($this->database, $logger, $strict);
    }

    /** @param Closure(): Response|null $make by default the title of news 4, named narrowly */
    public function get(string $key, ?Closure $make = null, bool $gzip = false, ?PageCache $cache = null): Response
    {
        $controller = str_starts_with($key, '/@') ? QuickController::class : NewsController::class;

        return ($cache ?? $this->cache())->answer(
            new PageRequest('GET', $key, $gzip),
            $controller,
            $make ?? fn(): Response => $this->item(4),
        );
    }

    public function item(int $id): Response
    {
        $rows = $this->database->select(
            'SELECT title FROM news WHERE id = ?',
            [$id],
            $this->database->registry()->row('news', $id),
        );

        return self::html('item ' . json_encode($rows));
    }

    public static function html(string $body): Response
    {
        return new Response(200, ['content-type' => ['text/html; charset=utf-8']], $body);
    }

    public function stores(string $key): bool
    {
        return is_file($this->site->pages . '/current' . $key . '~page');
    }

    public function remove(): void
    {
        $this->directory->remove();
    }
}
