<?php

declare(strict_types=1);

namespace Larder\Torture\Exact;

use PDO;
use PDOException;

/**
 * The same data on a plain connection that notes which rows are touched, by triggers that do nothing else.
 *
 * These can change what a statement does: with them it finds a foreign key wrong that refers to no unique column. So
 * once its rows differ from those elsewhere, it is not known what was touched.
 */
final class WatchedCopy
{
    public readonly PDO $connection;

    /** @var array<string, list<array<array-key, mixed>>> rows by table that were touched since touched() was asked */
    private array $touched = [];

    /** @var array<string, list<array<array-key, mixed>>> rows by table */
    private array $rows = [];

    private bool $isWatching = false;

    public function __construct(string $file)
    {
        $this->connection = new PDO("sqlite:$file");
        $this->connection->exec('PRAGMA synchronous = OFF');
        $this->watch();
    }

    /** No longer watches: the triggers would stand in the way of a change of the schema. */
    public function unwatch(): void
    {
        if (!$this->isWatching) {
            return;
        }
        $this->isWatching = false;
        $names = $this->connection->query('SELECT name FROM sqlite_temp_master')->fetchAll(PDO::FETCH_COLUMN);
        foreach ($names as $name) {
            if (\is_string($name)) {
                $this->connection->exec("DROP TRIGGER temp.$name");
            }
        }
    }

    /**
     * @param array<string, list<array<array-key, mixed>>> $rows that there are elsewhere
     *
     * @return array<string, list<array<array-key, mixed>>>|null the rows by table that were touched since the last call,
     *     values in the order of the columns; null: unknown
     */
    public function touched(array $rows): ?array
    {
        if (!$this->isWatching) {
            return null;
        }
        $touched = $this->touched;
        $before = $this->rows;
        $this->rows = self::rows($this->connection);
        $this->touched = [];
        foreach ($this->rows as $table => $new) {
            $old = $before[$table] ?? [];
            $touched[$table] = [...$touched[$table] ?? [], ...self::missing($old, $new), ...self::missing($new, $old)];
        }

        if ($rows !== $this->rows) {
            $this->unwatch();
        }

        return $rows === $this->rows ? $touched : null;
    }

    /** @return array<string, list<array<array-key, mixed>>> the rows of all tables, without Larder's own */
    public static function rows(PDO $connection): array
    {
        $rows = [];
        foreach (self::tables($connection) as $table) {
            try {
                $rows[$table] = $connection->query("SELECT * FROM \"$table\"")->fetchAll(PDO::FETCH_NUM);
            } catch (PDOException $exception) {
                $rows[$table] = [[$exception->getMessage()]];
            }
            usort($rows[$table], static fn(array $a, array $b): int => serialize($a) <=> serialize($b));
        }

        return $rows;
    }

    private function watch(): void
    {
        $this->connection->sqliteCreateFunction('touched', function (string $table, mixed ...$values): int {
            $this->touched[$table][] = $values;

            return 1;
        });
        foreach (self::tables($this->connection) as $table) {
            $columns = $this->connection->query("SELECT name FROM pragma_table_xinfo('$table')")
                ->fetchAll(PDO::FETCH_COLUMN);
            foreach (['INSERT' => ['NEW'], 'UPDATE' => ['OLD', 'NEW'], 'DELETE' => ['OLD']] as $event => $rows) {
                $calls = '';
                foreach ($rows as $row) {
                    $values = array_map(
                        static fn(mixed $column): string => \is_string($column) ? "$row.\"$column\"" : 'NULL',
                        $columns,
                    );
                    $calls .= "SELECT touched('$table', " . implode(', ', $values) . '); ';
                }
                $this->connection->exec(
                    "CREATE TEMP TRIGGER touched_{$table}_$event AFTER $event ON main.\"$table\" BEGIN $calls END",
                );
            }
        }
        $this->isWatching = true;
        $this->rows = self::rows($this->connection);
    }

    /** @return list<string> */
    private static function tables(PDO $connection): array
    {
        $names = $connection->query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'larder\\_%'"
            . " ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name")->fetchAll(PDO::FETCH_COLUMN);

        return array_values(array_filter($names, is_string(...)));
    }

    /**
     * @param list<array<array-key, mixed>> $rows
     * @param list<array<array-key, mixed>> $others
     *
     * @return list<array<array-key, mixed>>
     */
    private static function missing(array $rows, array $others): array
    {
        $known = array_flip(array_map(serialize(...), $others));

        return array_values(array_filter($rows, static fn(array $row): bool => !isset($known[serialize($row)])));
    }
}
