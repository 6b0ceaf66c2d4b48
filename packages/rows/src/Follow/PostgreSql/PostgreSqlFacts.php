<?php

declare(strict_types=1);

namespace Larder\Follow\PostgreSql;

use Larder\Follow\Facts;
use Larder\Follow\Queries;
use Larder\Follow\RowChange;
use Larder\Sql\Schema\Table;

/**
 * @internal By pg_catalog. The log has columns by their names, and what foreign keys change; but no DDL, and of a row
 * before its change only what REPLICA IDENTITY says.
 */
final class PostgreSqlFacts implements Facts
{
    private const FULL = <<<'SQL'
        SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND c.relkind = 'r' AND c.relreplident = 'f'
        SQL;

    /** Another text once a table, a column, or what the log has of a row is another one. */
    private const PRINT = <<<'SQL'
        SELECT md5(coalesce(string_agg(concat_ws(' ', c.oid, c.relname, c.relreplident, c.relkind, c.relnamespace,
            a.attnum, a.attname, a.atttypid, a.attcollation), ',' ORDER BY c.oid, a.attnum), ''))
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND c.relpersistence <> 't'
        SQL;

    private string $schema = '';

    /** @var array<string, true> tables whose rows the log has as a whole */
    private array $full = [];

    public function __construct(private readonly Queries $queries)
    {
        $this->refresh();
    }

    public function schema(): string
    {
        return $this->schema;
    }

    public function refresh(): void
    {
        $this->schema = $this->queries->texts('SELECT current_schema()')[0] ?? '';
        $this->full = array_fill_keys($this->queries->texts(self::FULL), true);
    }

    public function fingerprint(): string
    {
        return $this->queries->texts(self::PRINT)[0] ?? '';
    }

    public function row(Table $table, array $image, array $columns, bool $isBefore): ?array
    {
        $row = [];
        foreach ($columns as $column) {
            $isThere = \array_key_exists($column, $image);
            $value = $isThere ? $image[$column] : null;
            if ($value === false || (!$isThere && !($isBefore && isset($this->full[$table->name])))) {
                return null;
            }
            $row[$column] = $value;
        }

        return $row;
    }

    public function own(RowChange $change, string $column, int $number): ?string
    {
        $value = ($change->after ?? $change->before)[$column] ?? null;

        return \is_string($value) ? $value : null;
    }

    public function children(RowChange $change): array
    {
        return [];
    }
}
