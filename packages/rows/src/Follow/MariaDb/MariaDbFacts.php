<?php

declare(strict_types=1);

namespace Larder\Follow\MariaDb;

use Larder\Follow\Facts;
use Larder\Follow\Queries;
use Larder\Follow\RowChange;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Table;

/**
 * @internal By information_schema: the log has columns by their numbers, and prints an integer both as one with a sign
 * and as one without; what it says of signs is wrong behind a YEAR. InnoDB's foreign keys write nothing to the log.
 */
final class MariaDbFacts implements Facts
{
    private const COLUMNS = <<<'SQL'
        SELECT LOWER(TABLE_NAME), ORDINAL_POSITION, LOWER(COLUMN_NAME), IF(COLUMN_TYPE LIKE '%unsigned%', 1, 0)
        FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, ORDINAL_POSITION
        SQL;

    private const KEYS = <<<'SQL'
        SELECT LOWER(r.UNIQUE_CONSTRAINT_SCHEMA), LOWER(r.REFERENCED_TABLE_NAME), LOWER(r.TABLE_NAME),
            IF(r.DELETE_RULE IN ('CASCADE', 'SET NULL'), 1, 0), IF(r.UPDATE_RULE IN ('CASCADE', 'SET NULL'), 1, 0)
        FROM information_schema.REFERENTIAL_CONSTRAINTS r WHERE r.CONSTRAINT_SCHEMA = DATABASE()
            AND (r.DELETE_RULE IN ('CASCADE', 'SET NULL') OR r.UPDATE_RULE IN ('CASCADE', 'SET NULL'))
        SQL;

    private string $schema = '';

    /** @var array<string, array<string, array{int, bool}>> number and whether it has no sign, by table and column */
    private array $columns = [];

    /** @var array<string, array<string, array{bool, bool}>> whether by DELETE, by UPDATE, by parent and child */
    private array $children = [];

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
        $this->schema = (string) ($this->queries->rows('SELECT DATABASE()')[0][0] ?? '');
        $this->columns = $this->children = [];
        foreach ($this->queries->rows(self::COLUMNS) as [$table, $number, $column, $isUnsigned]) {
            $this->columns[(string) $table][(string) $column] = [(int) $number, (int) $isUnsigned === 1];
        }
        foreach ($this->queries->rows(self::KEYS) as [$schema, $parent, $child, $byDelete, $byUpdate]) {
            $known = $this->children["$schema.$parent"][(string) $child] ?? [false, false];
            $this->children["$schema.$parent"][(string) $child]
                = [$known[0] || (int) $byDelete === 1, $known[1] || (int) $byUpdate === 1];
        }
    }

    public function row(Table $table, array $image, array $columns, bool $isBefore): ?array
    {
        $known = $this->columns[strtolower($table->name)] ?? [];
        // Of another number of columns, nobody knows which is which.
        if ($image === [] || max(array_keys($image)) > \count($known)) {
            return null;
        }
        $row = [];
        foreach ($columns as $column) {
            [$number, $isUnsigned] = $known[strtolower($column)] ?? [0, false];
            $value = \array_key_exists($number, $image) ? $image[$number] : false;
            if ($value === false) {
                return null;
            }
            if ($value !== null && preg_match('/^(-\d{1,20}) \((\d{1,20})\)$/D', $value, $both) === 1
                && ($table->columns[$column] ?? null) === ColumnType::Integer) {
                $value = $both[$isUnsigned ? 2 : 1];
            }
            $row[$column] = $value;
        }

        return $row;
    }

    public function own(RowChange $change, string $column, int $number): ?string
    {
        $value = ($change->after ?? $change->before)[$number] ?? null;

        return \is_string($value) ? explode(' ', $value)[0] : null;
    }

    public function children(RowChange $change): array
    {
        if ($change->before === null) {
            return [];
        }
        $isUpdate = $change->after !== null;
        $found = [];
        $waiting = [strtolower("$change->schema.$change->table")];
        while ($waiting !== []) {
            $parent = array_pop($waiting);
            foreach ($this->children[$parent] ?? [] as $child => [$byDelete, $byUpdate]) {
                // What falls below a DELETE may be an UPDATE there.
                if (!isset($found[$child]) && ($isUpdate ? $byUpdate : $byDelete || $byUpdate)) {
                    $found[$child] = true;
                    $waiting[] = strtolower($this->schema) . '.' . $child;
                }
            }
            $isUpdate = false;
        }

        return array_map(strval(...), array_keys($found));
    }
}
