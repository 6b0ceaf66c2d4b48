<?php

declare(strict_types=1);

namespace Larder\Proof\Statements;

use PDO;
use RuntimeException;

/** The tables of an application, as the database has them: facts, and none of the application's own text. */
final readonly class SchemaFacts
{
    /** @param array<string, TableFacts> $tables by name */
    public function __construct(public array $tables) {}

    public static function of(PDO $database): self
    {
        $columns = $keys = [];
        foreach (self::rows($database, <<<'SQL'
            SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, COALESCE(COLLATION_NAME, '') FROM information_schema.COLUMNS
            WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, ORDINAL_POSITION
            SQL) as [$table, $column, $type, $collation]) {
            $columns[$table][$column] = [$type, $collation];
        }
        foreach (self::rows($database, <<<'SQL'
            SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME, '' FROM information_schema.STATISTICS
            WHERE TABLE_SCHEMA = DATABASE() AND NON_UNIQUE = 0 ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX
            SQL) as [$table, $index, $column]) {
            $keys[$table][$index][] = $column;
        }
        $tables = [];
        foreach ($columns as $name => $of) {
            $uniques = array_values(array_diff_key($keys[$name] ?? [], ['PRIMARY' => true]));
            $tables[$name] = new TableFacts($name, $of, $keys[$name]['PRIMARY'] ?? [], $uniques);
        }

        return new self($tables);
    }

    public static function read(string $file): self
    {
        /**
         * @var array<string, array{
         *     key: list<string>,
         *     unique: list<list<string>>,
         *     columns: array<string, array{string, string}>,
         * }> $found
         */
        $found = json_decode((string) file_get_contents($file), true, 8, JSON_THROW_ON_ERROR);
        $tables = [];
        foreach ($found as $name => ['key' => $key, 'unique' => $uniques, 'columns' => $columns]) {
            $tables[$name] = new TableFacts($name, $columns, $key, $uniques);
        }

        return new self($tables);
    }

    /** @param list<string> $words in lower case; tables that are not among them are left out */
    public function only(array $words): self
    {
        return new self(array_filter(
            $this->tables,
            static fn(TableFacts $table): bool => \in_array(strtolower($table->name), $words, true),
        ));
    }

    /** A table a line. */
    public function text(): string
    {
        $lines = [];
        foreach ($this->tables as $name => $table) {
            $lines[] = \sprintf('"%s": %s', $name, json_encode(
                ['key' => $table->key, 'unique' => $table->uniques, 'columns' => $table->columns],
                JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES,
            ));
        }

        return "{\n" . implode(",\n", $lines) . "\n}\n";
    }

    /** @return list<array{string, string, string, string}> */
    private static function rows(PDO $database, string $query): array
    {
        $statement = $database->query($query);
        /** @var list<array{string, string, string, string}> $rows */
        $rows = $statement === false
            ? throw new RuntimeException('The database does not tell its schema.')
            : $statement->fetchAll(PDO::FETCH_NUM);

        return $rows;
    }
}
