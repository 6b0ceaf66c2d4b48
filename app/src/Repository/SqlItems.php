<?php

declare(strict_types=1);

namespace App\Repository;

use App\Slug;
use Larder\Sql\Tracker\RecordingPdo;
use PDO;

/**
 * The items, by SQL. Larder sees in each statement what it reads.
 *
 * A list, its paging and its count read `news?category=…` and not the rows that they show: a new item belongs on the
 * list although no page was made from it yet.
 *
 * @phpstan-import-type Item from Items
 */
final readonly class SqlItems implements Items
{
    private const SELECT = 'SELECT n.id, n.title, n.summary, n.body, n.category, n.author FROM news n ';

    private const NEWEST = ' ORDER BY n.id DESC LIMIT ' . self::PER_PAGE;

    private const PHRASE = 'WHERE LOWER(n.title)' . self::LIKE . ' OR LOWER(n.summary)' . self::LIKE
        . ' OR LOWER(n.body)' . self::LIKE;

    /** No backslash: what one is in a string depends on the database. */
    private const LIKE = " LIKE ? ESCAPE '!'";

    public function __construct(private RecordingPdo $database) {}

    public function get(int $id): ?array
    {
        return $this->items(self::SELECT . 'WHERE n.id = ?', [$id])[0] ?? null;
    }

    public function latest(?string $category = null): array
    {
        return $category === null
            ? $this->items(self::SELECT . self::NEWEST)
            : $this->page($category, 1);
    }

    public function page(string $category, int $page): array
    {
        return $this->items(self::SELECT . self::ofPage($page), [$category]);
    }

    public function count(string $category): int
    {
        $count = 'SELECT COUNT(*) AS items FROM news WHERE category = ?';
        $rows = $this->database->select($count, [$category]);

        return (int) ($rows[0]['items'] ?? 0);
    }

    public function categories(): array
    {
        $count = 'SELECT category, COUNT(*) AS items FROM news GROUP BY category ORDER BY category';
        $categories = [];
        foreach ($this->database->select($count) as $row) {
            $categories[(string) $row['category']] = (int) $row['items'];
        }

        return $categories;
    }

    public function withWord(string $word): array
    {
        return array_values($this->rows($this->idsWithWord($word)));
    }

    public function withPhrase(string $phrase): array
    {
        $select = self::SELECT . self::PHRASE . self::NEWEST;

        return $this->items($select, self::patterns($phrase));
    }

    /** @return list<int> of the newest items, of all categories or of one */
    public function latestIds(): array
    {
        return $this->ids('SELECT n.id FROM news n' . self::NEWEST);
    }

    /** @return list<int> */
    public function idsOnPage(string $category, int $page): array
    {
        return $this->ids('SELECT n.id FROM news n ' . self::ofPage($page), [$category]);
    }

    /** @return list<int> of the newest items whose title has the word */
    public function idsWithWord(string $word): array
    {
        return $this->ids(
            'SELECT w.news_id AS id FROM word w WHERE w.word = ? ORDER BY w.news_id DESC LIMIT ' . self::PER_PAGE,
            [$word],
        );
    }

    /** @return list<int> */
    public function idsWithPhrase(string $phrase): array
    {
        $select = 'SELECT n.id FROM news n ' . self::PHRASE . self::NEWEST;

        return $this->ids($select, self::patterns($phrase));
    }

    /**
     * @param list<int> $ids
     *
     * @return array<int, Item> by id, those that are there, the newest first
     */
    public function rows(array $ids): array
    {
        return $ids === [] ? [] : array_column($this->items(
            self::SELECT . 'WHERE n.id IN (' . implode(', ', $ids) . ') ORDER BY n.id DESC',
        ), null, 'id');
    }

    /** Replaces what an editor may change, with the words of its title. */
    public function edit(int $id, string $title, string $summary, string $body, string $category): void
    {
        $this->database->run(
            'UPDATE news SET title = ?, summary = ?, body = ?, category = ? WHERE id = ?',
            [$title, $summary, $body, $category, $id],
        );
        $rows = $this->database->run('SELECT id, word FROM word WHERE news_id = ?', [$id])->fetchAll(PDO::FETCH_ASSOC);
        /** @var array<int, string> $had */
        $had = array_column($rows, 'word', 'id');
        $has = Slug::words($title);
        foreach (array_diff($had, $has) as $key => $word) {
            $this->database->run('DELETE FROM word WHERE id = ?', [$key]);
        }
        foreach (array_diff($has, $had) as $word) {
            $this->database->run('INSERT INTO word (word, news_id) VALUES (?, ?)', [$word, $id]);
        }
    }

    /**
     * @param list<scalar|null> $parameters
     *
     * @return list<Item>
     */
    private function items(string $sql, array $parameters = []): array
    {
        /** @var list<Item> $items as the files in sql declare the columns */
        $items = $this->database->select($sql, $parameters);

        return $items;
    }

    /**
     * @param list<scalar|null> $parameters
     *
     * @return list<int>
     */
    private function ids(string $sql, array $parameters = []): array
    {
        return array_map(intval(...), array_column($this->database->select($sql, $parameters), 'id'));
    }

    private static function ofPage(int $page): string
    {
        return 'WHERE n.category = ?' . self::NEWEST . ' OFFSET ' . ($page - 1) * self::PER_PAGE;
    }

    /**
     * A blank in the phrase stands for any one character, so that `web server` finds `web-server` too. Capitals do not
     * count, by LOWER(): LIKE alone sees none in SQLite, and does in the other databases.
     *
     * @return list<string>
     */
    private static function patterns(string $phrase): array
    {
        $literal = preg_replace('/[!%_]/', '!$0', strtolower($phrase)) ?? '';

        return array_fill(0, 3, '%' . str_replace(' ', '_', $literal) . '%');
    }
}
