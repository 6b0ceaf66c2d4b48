<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

use Closure;
use Larder\Dependency\Change;
use Larder\Page\FilePageStore;
use Larder\Page\PagePath;
use Larder\Page\Response;
use Larder\Page\Site;
use Larder\Sql\Ledger\Registration;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\RecordedReads;
use PDO;
use RuntimeException;

/** What telling a change costs a writer, against the same write without a ledger; and how large the index grows. */
final readonly class ChangeCost
{
    private CountingPdo $database;
    private PDO $plain;
    private SqlLedger $ledger;
    private FilePageStore $store;
    private Site $site;

    /** @param string $directory empty, for this measurement only */
    public function __construct(string $directory)
    {
        $registry = new Registry(
            new Table('news', 'id', ['id' => ColumnType::Integer, 'category' => ColumnType::Integer], [['category']]),
        );
        $this->database = new CountingPdo('sqlite:' . $directory . '/site.sqlite', $registry);
        $this->plain = new PDO('sqlite:' . $directory . '/site.sqlite', null, null, [
            PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
        ]);
        $this->plain->exec('PRAGMA synchronous = NORMAL');
        $this->database->exec('PRAGMA journal_mode = WAL');
        $this->database->exec('PRAGMA synchronous = NORMAL');
        $this->database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, category INTEGER, title TEXT)');
        $this->database->exec(
            'INSERT INTO news WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT '
                . 'i, i % 50, \'title\' FROM n',
        );
        $this->site = new Site(
            'cost',
            ['localhost'],
            $directory . '/pages',
            $directory . '/list.php',
            [],
            fn(): CountingPdo => $this->database,
        );
        $this->store = new FilePageStore($this->site->pages, 'r1');
        $this->ledger = (new SqlLedger($this->database, $this->store, 'r1'))->follow();
        $this->ledger->deploy();
    }

    /**
     * @return array{plain: float, rows: list<array{pages: int, statements: int, files: int, microseconds: float}>}
     *     medians of $rounds
     */
    public function measure(int $rounds): array
    {
        $plain = $this->median($rounds, static function (): void {}, function (): void {
            $this->plain->exec('BEGIN IMMEDIATE');
            $this->plain->prepare('UPDATE news SET title = ? WHERE id = ?')->execute(['plain', 4]);
            $this->plain->exec('COMMIT');
        });
        $rows = [];
        foreach ([0, 10, 1000] as $pages) {
            $statements = 0;
            $microseconds = $this->median($pages > 100 ? min($rounds, 20) : $rounds, function () use ($pages): void {
                $this->publish($pages);
                $this->database->statements();
            }, function () use (&$statements): void {
                $this->change(4);
                $statements = $this->database->statements();
            });
            $rows[] = [
                'pages' => $pages,
                'statements' => $statements,
                'files' => 4 * $pages,
                'microseconds' => $microseconds,
            ];
        }

        return ['plain' => $plain, 'rows' => $rows];
    }

    /**
     * Changes random rows while pages are stored again and again.
     *
     * @return array{changes: int, edges: int, live: int} live: the entries that the pages now in place need
     */
    public function churn(int $changes): array
    {
        mt_srand(4);
        for ($i = 0; $i < $changes; ++$i) {
            $id = mt_rand(1, 1000);
            if ($i % 4 === 0) {
                $this->store(
                    '/news/' . mt_rand(1, 1000),
                    [['row', mt_rand(1, 1000)], ['row', mt_rand(1, 1000)], ['set', mt_rand(0, 49)]],
                );
            }
            $this->change($id);
        }
        $live = 0;
        foreach ($this->ledger->index()->oldest('route', PHP_INT_MAX) as $row) {
            $file = $this->site->pages . '/current' . $row['placed']->page . PagePath::SUFFIX;
            $live += is_file($file) ? \count($this->ledger->index()->namesOf($row['placed']->page)) : 0;
        }

        return ['changes' => $changes, 'edges' => $this->ledger->index()->count()['edges'], 'live' => $live];
    }

    private function publish(int $pages): void
    {
        for ($page = 1; $page <= $pages; ++$page) {
            $this->store('/page/' . $page, [['row', 4], ['row', 1000 - $page]]);
        }
    }

    /** @param list<array{string, int}> $names */
    private function store(string $key, array $names): void
    {
        $path = $this->site->urls->page($key) ?? throw new RuntimeException('Not canonical: ' . $key);
        $reads = new RecordedReads($this->database->registry());
        $this->ledger->snapshot($reads, function () use ($reads, $names): void {
            foreach ($names as [$kind, $value]) {
                $reads->add(
                    $kind === 'row'
                        ? $this->database->registry()->row('news', $value)
                        : $this->database->registry()->set('news', ['category' => $value]),
                );
            }
        });
        $draft = $this->store->draft($path, new Response(200, [], 'page'));
        $this->ledger->publish(
            new Registration($key, $draft->name, 'route', $draft->bytes, $reads, null, PHP_INT_MAX, PHP_INT_MAX),
            fn(int $generation) => $this->store->stamp($draft, $generation),
            fn(int $generation): bool => $this->store->publish($draft, $generation),
        );
    }

    private function change(int $id): void
    {
        $this->ledger->transaction(
            fn() => $this->database->run('UPDATE news SET title = ? WHERE id = ?', ['told', $id]),
        );
    }

    /**
     * @param Closure(): void $prepare
     * @param Closure(): void $do
     */
    private function median(int $rounds, Closure $prepare, Closure $do): float
    {
        $times = [];
        do {
            $prepare();
            $before = hrtime(true);
            $do();
            $times[] = (float) (hrtime(true) - $before) / 1000;
        } while (\count($times) < $rounds);

        return Median::of($times)->value;
    }
}
