<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Larder\Dependency\RowChange;
use Larder\Dependency\SqlLedger;
use Larder\Dependency\TrackedConnection;
use Larder\Testbed\Server\Database;
use PDO;
use PDOStatement;

/**
 * Twenty items that every writer changes and every reader asks for, so that they collide.
 *
 * An item's title carries `[id:version]` and a comment's text `[id#number]`. Both numbers only rise, so a page that
 * shows the item tells which state of the item it was made from.
 */
final readonly class HotItems
{
    public const COUNT = 20;
    public const CATEGORIES = ['hot-a', 'hot-b', 'hot-c'];

    /** Of what a SELECT sees. It is prepared once, since it runs twice for each read. */
    private PDOStatement $select;

    /** @param list<int> $ids */
    private function __construct(
        private PDO $database,
        public array $ids,
    ) {
        $this->select = $database->prepare(\sprintf(
            'SELECT n.id, n.title, n.category, (SELECT COUNT(*) FROM comment c WHERE c.news_id = n.id) AS comments '
                . 'FROM news n WHERE n.id IN (%s)',
            implode(', ', $ids),
        ));
    }

    /**
     * Makes the tables of the site, with nothing but the hot items in them.
     *
     * @param string $root the site's directory
     */
    public static function fill(Database $database, string $root): void
    {
        $connection = $database->connect();
        $driver = self::driver($connection);
        foreach (explode(";\n", trim((string) file_get_contents("$root/sql/schema.$driver.sql"))) as $statement) {
            $connection->exec($statement);
        }
        self::install($connection);
    }

    /** Adds them to the site's own items, as the newest, so that the front page and the feed show them too. */
    public static function install(PDO $database): void
    {
        $insert = $database->prepare(
            'INSERT INTO news (title, summary, body, category, author) VALUES (?, ?, ?, ?, ?)',
        );
        $retitle = $database->prepare('UPDATE news SET title = ? WHERE id = ?');
        for ($i = 0; $i < self::COUNT; ++$i) {
            $insert->execute([
                'hot',
                self::summary(0),
                str_repeat("Some text of a hot item.\n", 5),
                self::CATEGORIES[$i % 3],
                'Torture',
            ]);
            $id = (int) $database->lastInsertId();
            $retitle->execute([self::title($id, 1), $id]);
        }
    }

    /** Removes them again, so that the site that stays is one to look at. */
    public static function remove(PDO|TrackedConnection $database): void
    {
        foreach (['comment', 'news'] as $table) {
            $database->exec("DELETE FROM $table WHERE author = 'Torture'");
        }
    }

    /** Writes to all items past every ledger, as a SQL console would. A page that shows an item shows the number. */
    public static function write(PDO $database, int $number): void
    {
        $update = $database->prepare('UPDATE news SET summary = ? WHERE author = ?');
        $update->execute([self::summary($number), 'Torture']);
    }

    public static function of(PDO $database): self
    {
        $statement = $database->query('SELECT id FROM news ORDER BY id DESC LIMIT ' . self::COUNT);
        \assert($statement !== false);
        /** @var list<int> $ids */
        $ids = $statement->fetchAll(PDO::FETCH_COLUMN);

        return new self($database, $ids);
    }

    /** @return array<int, ItemState> what a SELECT sees now, by id */
    public function states(): array
    {
        $this->select->execute();
        $states = [];
        foreach ($this->select->fetchAll(PDO::FETCH_ASSOC) as $row) {
            /** @var array{id: int, title: string, category: string, comments: int} $row */
            $states[$row['id']] = new ItemState(
                self::versions($row['title'])[$row['id']] ?? 0,
                $row['category'],
                $row['comments'],
            );
        }

        return $states;
    }

    /** @return array<int, int> version by id, of every item that the text shows; the lowest where it shows one twice */
    public static function versions(string $text): array
    {
        return self::numbers('/\[(\d+):(\d+)\]/', $text, static fn(int $one, int $other): int => min($one, $other));
    }

    /** @return array<int, int> number of the last comment by id */
    public static function comments(string $text): array
    {
        return self::numbers('/\[(\d+)#(\d+)\]/', $text, static fn(int $one, int $other): int => max($one, $other));
    }

    /** @return int the number of the last write() that the text shows; the lowest where it shows several */
    public static function lastWrite(string $text): int
    {
        preg_match_all('/\[written:(\d+)\]/', $text, $found);

        return $found[1] === [] ? PHP_INT_MAX : min(array_map(intval(...), $found[1]));
    }

    /** Changes one item, or rarely all, as code does that knows nothing of Larder: in a transaction, or in none. */
    public function change(Writer $writer): void
    {
        $id = $this->ids[array_rand($this->ids)];
        if (random_int(1, 3) === 1) {
            $writer->value($this->raise([$id]));
        } else {
            $writer->transaction(fn() => $this->make(null, $writer, $id));
        }
    }

    /** The same as code does that tells what it changes. */
    public function changeTold(SqlLedger $ledger, Writer $writer): void
    {
        $id = $this->ids[array_rand($this->ids)];
        $ledger->transaction(fn(RowChange $change) => $this->make($change, $writer, $id));
    }

    private function make(?RowChange $change, Writer $writer, int $id): void
    {
        $dice = random_int(1, 100);
        if ($dice === 1) {
            $writer->value($this->raise($this->ids));
            $change?->bulk('news');
        } elseif ($dice <= 15) {
            $this->comment($writer, $id);
        } else {
            // The three oldest stay where they are: a category without items has no page.
            $moves = $dice <= 40 && !\in_array($id, \array_slice($this->ids, -\count(self::CATEGORIES)), true);
            $this->edit($writer, $id, $moves);
        }
    }

    private function comment(Writer $writer, int $id): void
    {
        $this->lock($writer, $id);
        $number = 1
            + self::integer($writer->value('SELECT COUNT(*) FROM comment WHERE news_id = ?', [$id]));
        $writer->value(
            "INSERT INTO comment (news_id, author, text, created_at) VALUES (?, 'Torture', ?, '2026-01-01 00:00:00')",
            [$id, "[$id#$number]"],
        );
    }

    private function edit(Writer $writer, int $id, bool $move): void
    {
        $title = $this->lock($writer, $id);
        $version = 1 + (self::versions(\is_string($title) ? $title : '')[$id] ?? 0);
        $writer->value('UPDATE news SET title = ? WHERE id = ?', [self::title($id, $version), $id]);
        if ($move) {
            $category = self::CATEGORIES[array_rand(self::CATEGORIES)];
            $writer->value('UPDATE news SET category = ? WHERE id = ?', [$category, $id]);
        }
    }

    /** @param list<int> $ids */
    private function raise(array $ids): string
    {
        $title = match (self::driver($this->database)) {
            'mysql' => "CONCAT('[', id, ':',"
                . " 1 + CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(title, ':', -1), ']', 1) AS SIGNED), ']')",
            'pgsql' => "'[' || id || ':'"
                . " || (1 + CAST(split_part(split_part(title, ':', 2), ']', 1) AS integer)) || ']'",
            default => "'[' || id || ':' || (1 + CAST(substr(title, instr(title, ':') + 1) AS INTEGER)) || ']'",
        };

        $where = \count($ids) === 1 ? "id = $ids[0]" : \sprintf('id IN (%s)', implode(', ', $ids));

        return "UPDATE news SET title = $title WHERE $where";
    }

    /** @return mixed the item's title, which nobody else changes before the transaction has ended */
    private function lock(Writer $writer, int $id): mixed
    {
        // A transaction on SQLite is alone from its beginning.
        $lock = self::driver($this->database) === 'sqlite' ? '' : ' FOR UPDATE';

        return $writer->value('SELECT title FROM news WHERE id = ?' . $lock, [$id]);
    }

    private static function driver(PDO $database): string
    {
        $driver = $database->getAttribute(PDO::ATTR_DRIVER_NAME);

        return \is_string($driver) ? $driver : '';
    }

    private static function title(int $id, int $version): string
    {
        return "[$id:$version]";
    }

    private static function summary(int $write): string
    {
        return "A hot item [written:$write]";
    }

    private static function integer(mixed $value): int
    {
        return is_numeric($value) ? (int) $value : 0;
    }

    /**
     * @param callable(int, int): int $of
     *
     * @return array<int, int>
     */
    private static function numbers(string $expression, string $text, callable $of): array
    {
        preg_match_all($expression, $text, $matches, PREG_SET_ORDER);
        $numbers = [];
        foreach ($matches as [, $id, $number]) {
            $numbers[(int) $id] = isset($numbers[(int) $id]) ? $of($numbers[(int) $id], (int) $number) : (int) $number;
        }

        return $numbers;
    }
}
