<?php

declare(strict_types=1);

namespace App\Tests\Repository;

use App\Repository\SqlComments;
use App\Repository\SqlItems;
use App\Slug;
use App\Tests\ChosenDatabase;
use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Server\Database;
use Larder\Testbed\TemporaryDirectory;

/** The site's tables with a few items, and what is read of them. */
final readonly class ItemTables
{
    public RecordingPdo $database;
    public SqlItems $items;
    public SqlComments $comments;
    private TemporaryDirectory $directory;
    private Database $server;
    private SqlLedger $ledger;

    public function __construct()
    {
        $this->directory = new TemporaryDirectory();
        $this->server = ChosenDatabase::start($this->directory->path . '/data');
        $this->database = new RecordingPdo(
            $this->server->dsn,
            self::names(),
            user: $this->server->user,
            password: $this->server->password,
        );
        $this->ledger = SqlLedger::forValues($this->database);
        $this->ledger->deploy();
        $this->items = new SqlItems($this->database);
        $this->comments = new SqlComments($this->database);
    }

    public function remove(): void
    {
        $this->server->stop();
        $this->directory->remove();
    }

    public function add(string $title, string $category = 'glass', string $body = 'A body.'): int
    {
        $this->database->run(
            'INSERT INTO news (title, summary, body, category, author) VALUES (?, ?, ?, ?, ?)',
            [$title, 'Summary of ' . $title, $body, $category, 'Ann'],
        );
        $id = (int) $this->database->lastInsertId();
        foreach (Slug::words($title) as $word) {
            $this->database->run('INSERT INTO word (word, news_id) VALUES (?, ?)', [$word, $id]);
        }

        return $id;
    }

    public function comment(int $item, string $text): void
    {
        $this->database->run(
            'INSERT INTO comment (news_id, author, text, created_at) VALUES (?, ?, ?, ?)',
            [$item, 'Bo', $text, '2026-01-01 00:00:00'],
        );
    }

    /**
     * @template T
     *
     * @param Closure(): T $read
     *
     * @return array{T, list<string>} what it returned, and the names recorded, without the `table!` that each read has
     *     too
     */
    public function recorded(Closure $read): array
    {
        $reads = new RecordedReads(self::names());
        $result = $this->database->tracker()->snapshot($reads, $read, static function (): void {});

        return [
            $result,
            array_values(array_filter($reads->names(), static fn(string $name): bool => !str_ends_with($name, '!'))),
        ];
    }

    /**
     * @param Closure(): mixed $write
     *
     * @return list<string> the names that the change drops
     */
    public function changed(Closure $write): array
    {
        $names = [];
        $this->ledger->transaction($write, static function (array $told) use (&$names): void {
            /** @var list<Name> $told */
            $names = array_column($told, 'name');
        });
        sort($names);

        return $names;
    }

    /** The schema with the sets that the site's statements would have taught by and by. */
    private static function names(): Registry
    {
        return new Registry(
            new Table('news', 'id', ['id' => ColumnType::Integer, 'category' => ColumnType::Text], [['category']]),
            new Table('comment', 'id', ['id' => ColumnType::Integer, 'news_id' => ColumnType::Integer], [['news_id']]),
            new Table(
                'word',
                'id',
                ['id' => ColumnType::Integer, 'word' => ColumnType::Text, 'news_id' => ColumnType::Integer],
                [['word'], ['news_id']],
            ),
        );
    }
}
