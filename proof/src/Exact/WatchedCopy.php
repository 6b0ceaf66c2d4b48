<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Larder\Tests\Support\Sql\Query;
use PDO;
use PDOException;

/**
 * The same data on a plain connection that notes which rows are touched, by triggers that do nothing else.
 *
 * These can change what a statement does: with them it finds a foreign key wrong that refers to no unique column. So
 * once its rows differ from those elsewhere, it is not known what was touched.
 *
 * @phpstan-import-type Rows from Watch
 */
final class WatchedCopy implements Watch
{
    /** @var Rows that were touched since touched() was asked */
    private array $touched = [];

    /** @var Rows as they are now */
    private array $rows = [];

    private bool $isWatching = false;

    public function __construct(
        private readonly Host $host,
        private readonly PDO $connection,
    ) {
        $this->watch();
    }

    public function connection(): PDO
    {
        return $this->connection;
    }

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

    public function touched(array $rows): ?array
    {
        if (!$this->isWatching) {
            return null;
        }
        $touched = $this->touched;
        $before = $this->rows;
        $this->rows = self::rows($this->host, $this->connection);
        $this->touched = [];
        $touched = self::changed($touched, $before, $this->rows);
        if ($rows !== $this->rows) {
            $this->unwatch();
        }

        return $rows === $this->rows ? $touched : null;
    }

    /**
     * @param Rows $touched
     * @param Rows $before
     * @param Rows $after
     *
     * @return Rows those that were touched, and those that are others now
     */
    public static function changed(array $touched, array $before, array $after): array
    {
        foreach ($after as $table => $new) {
            $old = $before[$table] ?? [];
            $touched[$table] = [...$touched[$table] ?? [], ...self::missing($old, $new), ...self::missing($new, $old)];
        }

        return $touched;
    }

    /** @return Rows of all tables, without Larder's own */
    public static function rows(Host $host, PDO $connection): array
    {
        $rows = [];
        foreach ($host->tables($connection) as $table) {
            try {
                $rows[$table] = Query::rows((new Query("SELECT * FROM $table"))->run($connection));
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
        foreach ($this->host->tables($this->connection) as $table) {
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
        $this->rows = self::rows($this->host, $this->connection);
    }

    /** @return list<string> the first column */
    public static function names(PDO $connection, string $sql): array
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
