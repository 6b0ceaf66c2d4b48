<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Reading\AffectedRows;
use Larder\Sql\Reading\Conflict;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\LockingDialect;
use Larder\Sql\Schema\SideEffects;
use Larder\Sql\Schema\Table;
use PDOException;

/**
 * @internal The rows that a REPLACE or an upsert of a server changes.
 *
 * Nothing is read before it: a lock on a key that is not there yet would let two of them wait for one another. After
 * it, the application's transaction holds the rows that were in its way, so what the second connection sees of them
 * with the same values is what they were before. A row that this transaction has itself changed looks older there; its
 * names were told when it was changed.
 */
final readonly class Upsert
{
    private const UNKNOWN = 'it is not known which rows are in the way of a statement';

    /**
     * @param KeyedRows $own  as the application's transaction sees them
     * @param KeyedRows $seen as others see them
     * @param non-empty-list<list<array<string, int|string>>> $conditions of each new row: the values by column that no
     *     other row may have, for each unique key
     * @param list<int|string>|null $keys of the new rows; null: the database makes the one
     * @param bool $isSole whether nothing but the key decides which rows are in the way
     */
    private function __construct(
        private KeyedRows $own,
        private KeyedRows $seen,
        private LockingDialect $dialect,
        private Conflict $conflict,
        private array $conditions,
        private ?array $keys,
        private bool $isSole,
    ) {}

    /**
     * @param array<int, scalar|null> $sent values by the number of their parameter
     * @param list<array<string, string>>|null $uniques of the table, as SideEffects has them; null: not known
     * @param bool $isNumbered whether the database numbers the key
     * @param Closure(string, array<int, scalar|null>): list<array<string, scalar|null>> $select
     * @param Closure(string, array<int, scalar|null>): list<array<string, scalar|null>> $committed the same on the
     *     second connection
     *
     * @return self|string why they cannot be known
     */
    public static function of(
        Table $table,
        AffectedRows $rows,
        array $sent,
        ?array $uniques,
        bool $isNumbered,
        LockingDialect $dialect,
        Closure $select,
        Closure $committed,
    ): self|string {
        $conflict = $rows->conflict;
        $key = strtolower($table->key);
        $uniques = self::unique($uniques, $conflict->target);
        $places = array_flip($rows->columns ?? $table->allColumns ?? []);
        if ($uniques === [] || $rows->rows === []) {
            return self::UNKNOWN;
        }
        $isMade = $isNumbered && $dialect->tellsUpsert()
            && (!isset($places[$key]) || \in_array($rows->rows[0][$places[$key]], ['null', 'default'], true));
        $isSole = $uniques === [[$key]];
        $areMany = \count($rows->rows) > 1;
        if ($areMany && (!$isSole || $isMade)) {
            return 'a statement may change rows that are in the way of several';
        }
        if (\in_array($key, $conflict->given, true) && !$isSole) {
            return 'a statement assigns its key';
        }
        $types = array_change_key_case($table->columns);
        $conditions = $keys = [];
        foreach ($rows->rows as $row) {
            $ofRow = [];
            foreach ($uniques as $unique) {
                if ($isMade && $unique === [$key]) {
                    continue;
                }
                $values = [];
                foreach ($unique as $column) {
                    $type = $types[$column] ?? null;
                    $constant = isset($places[$column]) ? $row[$places[$column]] ?? null : null;
                    $value = $type === null ? null : self::value($constant, $sent, $type);
                    if ($value === null) {
                        return self::UNKNOWN;
                    }
                    $values[$column] = $value;
                }
                $ofRow[] = $values;
                $keys = $unique === [$key] ? [...$keys, $values[$key]] : $keys;
            }
            $conditions[] = $ofRow;
        }
        if (!$isMade && $keys === [] && $dialect->tellsUpsert()) {
            return self::UNKNOWN;
        }

        return new self(
            new KeyedRows($table, $dialect, $select),
            new KeyedRows($table, $dialect, $committed),
            $dialect,
            $conflict,
            $conditions,
            $isMade ? null : $keys,
            $isSole,
        );
    }

    public function areTooMany(): bool
    {
        return \count($this->conditions) > KeyedRows::MOST;
    }

    /**
     * What it has changed, after it has run.
     *
     * @param string $inserted the number that the database gave the row, or that of the row in its way
     *
     * @return array<string, Name>|string why it cannot be known
     *
     * @throws PDOException
     */
    public function names(?int $affected, string $inserted): array|string
    {
        $isUpdate = $this->conflict->action === Conflict::UPDATE;
        $count = \count($this->conditions);
        $tells = $this->dialect->tellsUpsert();
        // Who tells counts a row that is changed twice, and one that stays the same not at all.
        $isCounted = $affected !== null && ($isUpdate && !$tells
            ? $affected === $count
            : $affected >= ($isUpdate ? 0 : $count));
        if ($isUpdate && $affected === 0) {
            return [];
        }
        $isNew = $isUpdate && $tells && $affected === 1;
        $mayBeAnother = $isUpdate && $tells && !$isNew && !$this->isSole;
        if (!$isCounted || ($mayBeAnother && $this->keys !== null)) {
            return self::UNKNOWN;
        }
        $after = $this->after($inserted);
        try {
            $before = $isNew ? [] : $this->seen->read($this->from(), ...$this->inTheWay());
        } catch (PDOException) {
            return KeyedRows::UNREAD;
        }
        if ($after === null || $before === null || \count($after) !== $count || \count($before) > KeyedRows::MOST) {
            return KeyedRows::OTHERS;
        }
        $key = $this->own->table->key;
        $isSeen = \in_array($after[0][$key] ?? null, array_column($before, $key), true);
        if ($mayBeAnother && !$isSeen) {
            return 'the row in the way of a statement was not there before';
        }

        return $this->own->names([...$before, ...$after]);
    }

    /** @return list<array<string, scalar|null>>|null */
    private function after(string $inserted): ?array
    {
        if (!$this->dialect->tellsUpsert()) {
            return $this->own->read($this->from(), ...$this->inTheWay());
        }
        $keys = $this->keys ?? [(int) $inserted];
        [$where, $values] = $this->conflict->action === Conflict::REPLACE && \count($this->conditions) === 1
            ? $this->allOf($this->conditions[0])
            : ['', []];

        return $this->own->read($this->from(), \sprintf(
            ' WHERE %s IN (%s)%s',
            $this->own->column($this->own->table->key),
            implode(', ', array_fill(0, \count($keys), '?')),
            // A value that was cut to fit is in the way of others than it says.
            $where === '' ? '' : " AND $where",
        ), [...$keys, ...$values], $this->dialect->lockWritten());
    }

    private function from(): string
    {
        return $this->dialect->quote($this->own->table->name);
    }

    /** @return array{string, list<int|string>} */
    private function inTheWay(): array
    {
        $any = $values = [];
        foreach (array_merge(...$this->conditions) as $condition) {
            [$text, $more] = $this->allOf([$condition]);
            $any[] = "($text)";
            $values = [...$values, ...$more];
        }

        return [$any === [] ? ' WHERE 0 = 1' : ' WHERE ' . implode(' OR ', $any), $values];
    }

    /**
     * @param list<array<string, int|string>> $conditions
     *
     * @return array{string, list<int|string>}
     */
    private function allOf(array $conditions): array
    {
        $all = $values = [];
        foreach ($conditions as $condition) {
            foreach ($condition as $column => $value) {
                $all[] = $this->own->column($column) . ' = ?';
                $values[] = $value;
            }
        }

        return [implode(' AND ', $all), $values];
    }

    /**
     * @param list<array<string, string>>|null $uniques
     * @param list<string>|null                $target
     *
     * @return list<list<string>> the columns of each key that rows may be in the way by; none: not known
     */
    private static function unique(?array $uniques, ?array $target): array
    {
        $found = [];
        foreach ($uniques ?? [] as $unique) {
            $columns = array_map(strval(...), array_keys($unique));
            if ($target === null || (array_diff($columns, $target) === [] && array_diff($target, $columns) === [])) {
                $found[] = $columns;
            }
        }

        return $target === null ? $found : \array_slice($found, 0, 1);
    }

    /**
     * @param string|int|null         $constant as AffectedRows has it
     * @param array<int, scalar|null> $sent
     *
     * @return int|string|null null: another session may read it otherwise, or it is none that a column keeps as it is
     */
    private static function value(string|int|null $constant, array $sent, ColumnType $type): int|string|null
    {
        $value = \is_int($constant) ? $sent[$constant] ?? null : $constant;
        $isText = \is_int($constant);
        if (\is_string($constant) && preg_match("/^'((?:[^'\\\\]|'')*)'$/D", $constant, $matches) === 1) {
            $value = str_replace("''", "'", $matches[1]);
            $isText = true;
        }
        if (!\is_int($value) && !\is_string($value)) {
            return null;
        }
        $text = (string) $value;
        if ($type === ColumnType::Integer) {
            return preg_match('/^-?[0-9]{1,18}$/D', $text) === 1 ? (int) $text : null;
        }

        return $isText && preg_match('/^[\x20-\x7e]*$/D', $text) === 1 ? $text : null;
    }
}
