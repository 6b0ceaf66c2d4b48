<?php

declare(strict_types=1);

namespace App\Tests\Repository;

use App\Configuration;
use App\Repository\CachedComments;
use App\Repository\CachedItems;
use App\Repository\SqlComments;
use App\Repository\SqlItems;
use App\Slug;
use App\Tests\ChosenDatabase;
use Closure;
use Larder\Cache;
use Larder\Dependency\LedgerVersions;
use Larder\Dependency\RowChange;
use Larder\Dependency\SqlLedger;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Testbed\Server\Database;
use Larder\Testbed\TemporaryDirectory;

/** The site's tables in a file with a few items, and the same items out of a cache. */
final readonly class CachedTables
{
    public Configuration $configuration;
    public Site $site;
    public CountedPdo $database;
    public SqlItems $table;
    public SqlComments $remarks;
    public CachedItems $items;
    public CachedComments $comments;
    private SqlLedger $ledger;
    private TemporaryDirectory $directory;
    private Database $server;

    /** @param self|null $of the same tables, on another connection and with another cache */
    public function __construct(Store $store = new ArrayStore(), ?self $of = null)
    {
        $this->directory = $of->directory ?? new TemporaryDirectory();
        $this->server = $of->server ?? ChosenDatabase::start($this->directory->path . '/data');
        $environment = ['APP_VAR' => $this->directory->path, ...$this->server->environment()];
        $this->configuration = new Configuration($environment);
        $this->site = $this->configuration->site();
        if ($of === null) {
            Pages::of($this->site)->deploy();
        }
        $this->database = new CountedPdo(
            $this->server->dsn,
            user: $this->server->user,
            password: $this->server->password,
        );
        $this->ledger = Pages::of($this->site)->ledger($this->database);
        $cache = new Cache($store, new LedgerVersions($this->ledger));
        $this->table = new SqlItems($this->database);
        $this->remarks = new SqlComments($this->database);
        $this->items = new CachedItems($this->table, $cache);
        $this->comments = new CachedComments($this->remarks, $cache);
        // What is made by the first statement of its kind depends on the whole table; the next ones are exact.
        $this->comments->counts([0]);
    }

    public function remove(): void
    {
        $this->server->stop();
        $this->directory->remove();
    }

    public function add(string $title, string $category): int
    {
        $id = 0;
        $this->change(function () use ($title, $category, &$id): void {
            $this->database->run(
                'INSERT INTO news (title, summary, body, category, author) VALUES (?, ?, ?, ?, ?)',
                [$title, 'Summary of ' . $title, 'A body.', $category, 'Ann'],
            );
            $id = (int) $this->database->lastInsertId();
            foreach (Slug::words($title) as $word) {
                $this->database->run('INSERT INTO word (word, news_id) VALUES (?, ?)', [$word, $id]);
            }
        });

        return $id;
    }

    public function comment(int $item, string $text): void
    {
        $this->change(fn() => $this->remarks->add($item, 'Bo', $text, '2026-01-01 00:00:00'));
    }

    public function edit(int $item, string $title, string $summary, string $category): void
    {
        $this->change(fn() => $this->table->edit($item, $title, $summary, 'A body.', $category));
    }

    /** @param Closure(RowChange): void $write */
    public function change(Closure $write): void
    {
        $this->ledger->transaction($write);
    }
}
