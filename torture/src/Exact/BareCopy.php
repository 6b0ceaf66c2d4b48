<?php

declare(strict_types=1);

namespace Larder\Torture\Exact;

use PDO;
use PDOException;

/** The same data on a bare connection. It shows what statements do without Larder, and which rows they touch. */
final class BareCopy
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
    }

    /** Notes from now on which rows are touched, by triggers that do nothing else. */
    public function watch(): void
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

    /** No longer watches: the triggers would stand in the way of a change of the schema. */
    public function unwatch(): void
    {
        $this->isWatching = false;
        $names = $this->connection->query('SELECT name FROM sqlite_temp_master')->fetchAll(PDO::FETCH_COLUMN);
        foreach ($names as $name) {
            if (\is_string($name)) {
                $this->connection->exec("DROP TRIGGER temp.$name");
            }
        }
    }

    /**
     * @return array<string, list<array<array-key, mixed>>>|null the rows by table that were touched since the last call,
     *     values in the order of the columns; null: unknown
     */
    public function touched(): ?array
    {
        $touched = $this->touched;
        $before = $this->rows;
        $this->rows = self::rows($this->connection);
        $this->touched = [];
        foreach ($this->rows as $table => $rows) {
            $old = $before[$table] ?? [];
            $touched[$table] = [...$touched[$table] ?? [], ...self::missing($old, $rows), ...self::missing($rows, $old)];
        }

        return $this->isWatching ? $touched : null;
    }

    /** @return array<string, list<array<array-key, mixed>>> the rows of all tables */
    public function all(): array
    {
        return $this->rows;
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
