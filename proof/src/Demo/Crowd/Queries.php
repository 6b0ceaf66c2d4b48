<?php

declare(strict_types=1);

namespace Larder\Proof\Demo\Crowd;

use Larder\Cache;
use Larder\Store;
use PDO;
use stdClass;

/**
 * A page of 35 lists, each a query behind the cache: the newest items of a section, and how many there are.
 *
 * Each query takes 30 ms longer than SQLite takes for it, and costs no processor time in these: a database on another
 * machine that has more to do. Each is noted in a file, so that what is counted does not pass through what is measured.
 */
final readonly class Queries
{
    public const COUNT = 35;
    public const MILLISECONDS = 30;

    private const SQL = 'SELECT id, title, (SELECT COUNT(*) FROM news WHERE category = :category) AS items FROM news '
        . 'WHERE category = :category ORDER BY id DESC LIMIT 10';

    /** @param list<string> $categories */
    private function __construct(
        private PDO $database,
        private array $categories,
        private string $notes,
        private int $milliseconds,
    ) {}

    /**
     * @param string $notes        file of one line per query that reached the database: its number
     * @param int    $milliseconds that each takes longer
     */
    public static function on(string $database, string $notes, int $milliseconds = self::MILLISECONDS): self
    {
        $pdo = new PDO(
            'sqlite:' . $database,
            null,
            null,
            [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC],
        );
        $pdo->exec('PRAGMA busy_timeout = 5000');
        $statement = $pdo->query(
            'SELECT category FROM news GROUP BY category ORDER BY COUNT(*) DESC, category LIMIT ' . self::COUNT,
        );
        /** @var list<string> $categories */
        $categories = $statement === false ? [] : $statement->fetchAll(PDO::FETCH_COLUMN);

        return new self($pdo, $categories, $notes, $milliseconds);
    }

    /** @return list<mixed> what the page shows, each list out of the store, or made and put there */
    public function unprotected(Store $store, float $ttl): array
    {
        $missing = new stdClass();
        $lists = [];
        foreach (array_keys($this->categories) as $number) {
            $list = $store->get(self::key($number), $missing);
            if ($list === $missing) {
                $list = $this->make($number);
                $store->set(self::key($number), $list, $ttl);
            }
            $lists[] = $list;
        }

        return $lists;
    }

    /** @return list<mixed> the same by remember() */
    public function remembered(Cache $cache, float $ttl, float $grace): array
    {
        return array_map(
            fn(int $number): array => $cache->remember(
                self::key($number),
                fn(): array => $this->make($number),
                $ttl,
                $grace,
            ),
            array_keys($this->categories),
        );
    }

    /** @return list<array<string, scalar|null>> */
    private function make(int $number): array
    {
        file_put_contents($this->notes, $number . "\n", FILE_APPEND);
        usleep($this->milliseconds * 1000);
        $statement = $this->database->prepare(self::SQL);
        $statement->execute(['category' => $this->categories[$number]]);
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $statement->fetchAll(PDO::FETCH_ASSOC);

        return $rows;
    }

    private static function key(int $number): string
    {
        return 'list ' . $number;
    }
}
