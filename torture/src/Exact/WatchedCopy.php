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
 *
 * @phpstan-type Rows array<string, list<array<array-key, mixed>>>
 */
final class WatchedCopy
{
    public readonly PDO $connection;

    /** @var Rows that were touched since touched() was asked */
    private array $touched = [];

    /** @var Rows as they are now */
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
        foreach (self::names($this->connection, 'SELECT name FROM sqlite_temp_master') as $name) {
            $this->connection->exec("DROP TRIGGER temp.$name");
        }
    }

    /**
     * @param Rows $rows that there are elsewhere
     *
     * @return Rows|null that were touched since the last call, values in the order of the columns; null: unknown
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

    /** @return Rows of all tables, without Larder's own */
    public static function rows(PDO $connection): array
    {
        $rows = [];
        foreach (self::tables($connection) as $table) {
            try {
                $rows[$table] = Query::rows((new Query("SELECT * FROM \"$table\""))->run($connection));
            } catch (PDOException $exception) {
                $rows[$table] = [[$exception->getMessage()]];
            }
            $texts = array_map(serialize(...), $rows[$table]);
            array_multisort($texts, SORT_STRING, $rows[$table]);
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
            $columns = self::names($this->connection, "SELECT name FROM pragma_table_xinfo('$table')");
            foreach (['INSERT' => ['NEW'], 'UPDATE' => ['OLD', 'NEW'], 'DELETE' => ['OLD']] as $event => $rows) {
                $calls = '';
                foreach ($rows as $row) {
                    $values = array_map(static fn(string $column): string => "$row.\"$column\"", $columns);
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
        return self::names($connection, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE"
            . " 'larder\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name");
    }

    /** @return list<string> the first column */
    private static function names(PDO $connection, string $sql): array
    {
        return array_values(array_filter(
            array_column(Query::rows((new Query($sql))->run($connection)), 0),
            is_string(...),
        ));
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
