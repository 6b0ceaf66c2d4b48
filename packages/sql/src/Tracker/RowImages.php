<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Reading\AffectedRows;
use Larder\Sql\Reading\Conflict;
use Larder\Sql\Reading\Write;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\SideEffects;
use Larder\Sql\Schema\Table;
use Larder\Sql\Schema\TableFacts;
use PDOException;

/**
 * @internal The rows that one statement changes, read right before it and right after it. Nobody else writes between,
 * since the transaction has the write lock, or the snapshot without which it does not get it.
 */
final readonly class RowImages
{
    private const SAVEPOINT = 'larder_image';

    /** Values that MariaDB numbers a row by itself for. */
    private const UNNUMBERED = ['null', 'default', '0', "'0'", "''"];

    private const NOT_FOUND = 'a key is no number and no text';

    private KeyedRows $keyed;

    /**
     * @param list<array<string, scalar|null>>                                 $before
     * @param int|null                                                         $top    the highest row number before it
     * @param TableFacts|null $facts    of a server, where others write at the same time
     * @param list<scalar|null> $values of the parameters of its condition, or of the keys that it inserts
     * @param bool              $isUnique whether its condition finds one row at most
     * @param string|null       $where  the condition on the key of what it inserts; null: the database makes the key
     * @param list<string>|null $assigned columns that it sets; null: any
     * @param Closure(string, array<int, scalar|null>): list<array<string, scalar|null>> $select
     */
    private function __construct(
        private Table $table,
        private AffectedRows $rows,
        private Dialect $dialect,
        private Closure $select,
        private array $before = [],
        private ?int $top = null,
        private ?TableFacts $facts = null,
        private array $values = [],
        private bool $isUnique = false,
        private ?string $where = null,
        private ?array $assigned = null,
        private ?Upsert $upsert = null,
    ) {
        $this->keyed = new KeyedRows($table, $dialect, $select);
    }

    /**
     * @param RunningStatement|null                                            $statement that is going to run
     * @param Closure(string, array<int, scalar|null>): list<array<string, scalar|null>> $select with values by the
     *     number of their parameter, from 0 on
     * @param list<array<string, string>>|null $uniques of the table, as SideEffects has them; null: not known
     *
     * @return self|string why they cannot be known
     */
    public static function before(
        Table $table,
        AffectedRows $rows,
        ?RunningStatement $statement,
        Dialect $dialect,
        Closure $select,
        ?array $uniques = null,
    ): self|string {
        $values = [];
        foreach ($rows->parameters as $number => $name) {
            $sent = $statement?->sent($number, $name);
            if ($sent === null) {
                return 'it is not known which value a parameter of its WHERE has';
            }
            $values[$number - 1] = $sent[0];
        }
        $images = new self($table, $rows, $dialect, $select);
        try {
            if ($rows->verb !== Write::INSERT || $rows->values !== []) {
                if ($rows->values !== [] && $uniques === null) {
                    return 'it is not known which rows are in the way of a statement';
                }
                $where = $uniques === null ? $rows->condition : $images->inTheWay($uniques);
                $found = $where === '0' ? [] : $images->read($where === '' ? '' : " WHERE ($where)", $values);

                return $found === null ? self::NOT_FOUND : new self($table, $rows, $dialect, $select, $found);
            }
            if (!$rows->isOne) {
                $most = $select(\sprintf('SELECT max(%s) AS top FROM %s', $dialect->rowNumber(), $rows->from), []);
                $top = $most[0]['top'] ?? null;

                return new self($table, $rows, $dialect, $select, top: \is_int($top) ? $top : null);
            }

            return $images;
        } catch (PDOException) {
            return 'its rows could not be read';
        }
    }

    /**
     * The same on a server. There others write between the images and the statement, so the rows that are found stay
     * locked, and what the statement counts must fit them.
     *
     * @param Closure(string, array<int, scalar|null>): list<array<string, scalar|null>> $select
     *
     * @param Closure(string, array<int, scalar|null>): list<array<string, scalar|null>> $committed the same on the
     *     second connection
     * @param list<array<string, string>>|null $uniques of the table, as SideEffects has them; null: not known
     * @param bool $isInside whether the application's transaction must outlive an error of the image, which ends one of
     *     PostgreSQL
     *
     * @return self|string why they cannot be known
     *
     * @throws PDOException if the statement itself cannot run either: it would wait for too long, or the transaction is
     *     lost
     */
    public static function locked(
        Table $table,
        Write $write,
        AffectedRows $rows,
        ?RunningStatement $statement,
        Dialect $dialect,
        Closure $select,
        TableFacts $facts,
        bool $isInside,
        Closure $committed,
        ?array $uniques,
    ): self|string {
        if (!$facts->areSeen($write->table)) {
            return 'its rows may not be read and locked, or a trigger or a rule comes before its statements';
        }
        $sent = [];
        foreach ($rows->parameters as $number => $name) {
            $value = $statement?->sent($number, $name);
            if ($value !== null) {
                $sent[$number] = $value[0];
            }
        }
        if (\in_array($rows->conflict->action, [Conflict::REPLACE, Conflict::UPDATE], true)) {
            $isNumbered = $facts->number($write->table) === strtolower($table->key);
            $upsert = $write->returns && $dialect->driver() === 'mysql'
                ? 'it is not counted which rows a statement changes that returns some'
                : Upsert::of($table, $rows, $sent, $uniques, $isNumbered, $dialect, $select, $committed);

            return \is_string($upsert)
                ? $upsert
                : new self($table, $rows, $dialect, $select, facts: $facts, upsert: $upsert);
        }
        if ($rows->verb === Write::INSERT) {
            return self::inserting($table, $write, $rows, $sent, $dialect, $select, $facts);
        }
        $values = [];
        foreach ($rows->order as $number) {
            if (!\array_key_exists($number, $sent)) {
                return 'it is not known which value a parameter of its WHERE has';
            }
            $values[] = $sent[$number];
        }
        $isUnique = self::isUnique($table, $rows, $values);
        $images = new self(
            $table,
            $rows,
            $dialect,
            $select,
            facts: $facts,
            values: $values,
            isUnique: $isUnique,
            assigned: $write->columns,
        );
        $where = $rows->condition === '' ? '' : " WHERE ($rows->condition)";
        $isPostgreSql = $dialect->driver() !== 'mysql';
        $isKept = $isPostgreSql && $isInside && !$images->isSafe();
        if ($isKept) {
            // PDO may have failed the transaction without a word, by what it sends when a statement is freed.
            $select('SAVEPOINT ' . self::SAVEPOINT, []);
        }
        try {
            $found = $images->read($where, $values, lock: $images->lock());
            if ($isKept) {
                $select('RELEASE SAVEPOINT ' . self::SAVEPOINT, []);
            }
        } catch (PDOException $exception) {
            if ($isKept) {
                $select('ROLLBACK TO SAVEPOINT ' . self::SAVEPOINT, []);
                $select('RELEASE SAVEPOINT ' . self::SAVEPOINT, []);
            } elseif ($isPostgreSql || $dialect->isBusy($exception)) {
                throw $exception;
            }

            return 'its rows could not be read';
        }

        return $found === null ? self::NOT_FOUND : new self(
            $table,
            $rows,
            $dialect,
            $select,
            $found,
            null,
            $facts,
            $values,
            $isUnique,
            null,
            $write->columns,
        );
    }

    /**
     * @param array<int, scalar|null> $sent values by the number of their parameter
     * @param Closure(string, array<int, scalar|null>): list<array<string, scalar|null>> $select
     */
    private static function inserting(
        Table $table,
        Write $write,
        AffectedRows $rows,
        array $sent,
        Dialect $dialect,
        Closure $select,
        TableFacts $facts,
    ): self|string {
        $key = strtolower($table->key);
        $columns = $rows->columns ?? $table->allColumns;
        $at = array_search($key, $columns ?? [], true);
        if ($columns === null || \count($columns) !== \count($rows->rows[0] ?? [])) {
            return 'an INSERT does not name its columns';
        }
        $isNumbered = $facts->number($write->table) === $key;
        $texts = $values = [];
        foreach ($rows->rows as $row) {
            $value = $at === false ? 'default' : $row[$at];
            $isSent = \is_int($value) && \array_key_exists($value, $sent);
            if ($value === null || (\is_int($value) && !$isSent)) {
                return 'the key of an INSERT is no constant';
            }
            $isNumber = \is_string($value) && preg_match("/^[0-9.]/", $value) === 1;
            if ($isNumber && $dialect->driver() !== 'mysql' && $table->columns[$table->key] !== ColumnType::Integer) {
                // PostgreSQL compares no text with a number, and its error would end the transaction.
                return 'the key of an INSERT is a number, and that of the table is a text';
            }
            $plain = \is_int($value) ? $sent[$value] ?? 'null' : strtolower($value);
            $isMade = $dialect->driver() === 'mysql'
                ? \in_array((string) $plain, self::UNNUMBERED, true)
                    || ($isNumbered && (float) trim((string) $plain, "'") === 0.0)
                : $plain === 'default' && !\is_int($value);
            if ($isMade) {
                $sequence = $facts->sequence($write->table);
                $isCertain = $dialect->driver() === 'mysql'
                    || ($sequence !== '' && !$facts->isTriggered($write->table));
                if (!$rows->isOne || !$isNumbered || !$isCertain) {
                    return 'it is not known which keys the database gave the rows of an INSERT';
                }
                $texts = null;
                $values = $sequence === '' ? [] : [$sequence];
                break;
            }
            $texts[] = \is_int($value) ? '?' : $value;
            $values = \is_int($value) ? [...$values, $sent[$value]] : $values;
        }
        $where = $texts === null ? null : implode(', ', $texts);

        return new self($table, $rows, $dialect, $select, [], null, $facts, $values, $rows->isOne, $where);
    }

    /** @param list<scalar|null> $values */
    private static function isUnique(Table $table, AffectedRows $rows, array $values): bool
    {
        [$column, $kind] = $rows->equal ?? ['', ''];
        if ($column === '' || $column !== strtolower($table->key)) {
            return false;
        }
        $isInteger = $table->columns[$table->key] === ColumnType::Integer;
        $value = $values[0] ?? null;
        $isNumber = $kind === 'number' || \is_int($value)
            || (\is_string($value) && preg_match('/^-?[0-9]{1,18}$/D', $value) === 1);

        return $kind === 'string' ? !$isInteger : ($isInteger ? $isNumber : \is_string($value));
    }

    /** Whether nothing in its condition can be an error: it only compares the key with a number that it may have. */
    private function isSafe(): bool
    {
        $table = strtolower($this->table->name);
        $value = $this->values[0] ?? 0;

        return $this->rows->condition === '' || ($this->isUnique
            && array_diff($this->rows->names, [$table, strtolower($this->table->key)]) === []
            && $this->table->columns[$this->table->key] === ColumnType::Integer
            && \count($this->values) < 2
            && \abs((int) $value) < 32_768);
    }

    /** How the rows are locked as the statement itself would lock them, so that nobody waits for more than for it. */
    private function lock(): string
    {
        return match (true) {
            $this->dialect->driver() === 'mysql' => $this->isUnique ? ' FOR UPDATE' : ' FOR UPDATE SKIP LOCKED',
            $this->rows->verb === Write::DELETE => ' FOR UPDATE',
            default => ' FOR NO KEY UPDATE',
        };
    }

    /**
     * @return array<string, Name>|string
     *
     * @throws PDOException
     */
    private function lockedNames(TableFacts $facts, ?int $affected, string $inserted): array|string
    {
        if ($this->upsert !== null) {
            return $this->upsert->names($affected, $inserted);
        }
        if ($affected === 0 && $this->rows->conflict->action === Conflict::KEEP) {
            return [];
        }
        $isMariaDb = $this->dialect->driver() === 'mysql';
        $isInsert = $this->rows->verb === Write::INSERT;
        $count = $isInsert ? \count($this->rows->rows) : \count($this->before);
        $mayBeSame = $isMariaDb && $this->rows->verb === Write::UPDATE;
        if ($affected === null || ($mayBeSame ? $affected > $count : $affected !== $count)) {
            return 'the rows that it changed are not those that were found';
        }
        if ($mayBeSame && !$this->isUnique) {
            // It counts the rows that got another value, and may have waited for one that was locked before.
            $uncertain = array_intersect(
                [...$this->assigned ?? $this->rows->names, ...$facts->made(strtolower($this->table->name))],
                $this->rows->names,
            );
            if ($uncertain !== []) {
                return 'a statement assigns a column of its own WHERE';
            }
            $where = $this->rows->condition === '' ? '' : " WHERE ({$this->rows->condition})";
            // What others hold is no row that the statement has found: it would have waited for it, and hold it now.
            $again = $this->read($where, $this->values, lock: ' FOR UPDATE SKIP LOCKED');
            if ($again === null || $this->keys($again) !== $this->keys($this->before)) {
                return 'the rows that it changed are not those that were found';
            }
        }
        if ($mayBeSame && $affected === 0) {
            return [];
        }
        $after = $this->lockedAfter($inserted, $isMariaDb ? ' FOR UPDATE' : '');
        $isSame = $this->rows->verb !== Write::UPDATE || $this->keys($this->before) === $this->keys($after ?? []);
        if ($after === null || !$isSame || ($isInsert && \count($after) !== $count)) {
            return $after === null ? self::NOT_FOUND : 'the rows that it changed are not those that were found';
        }

        return $this->keyed->names([...$this->before, ...$after]);
    }

    /** @return list<array<string, scalar|null>>|null */
    private function lockedAfter(string $inserted, string $lock): ?array
    {
        $key = $this->column($this->table->key);
        if ($this->rows->verb === Write::DELETE || ($this->rows->verb === Write::UPDATE && $this->before === [])) {
            return [];
        }
        if ($this->rows->verb === Write::UPDATE) {
            return $this->read(
                \sprintf(' WHERE %s IN (%s)', $key, implode(', ', array_fill(0, \count($this->before), '?'))),
                array_column($this->before, $this->table->key),
                lock: $lock,
            );
        }
        if ($this->where !== null) {
            return $this->read(" WHERE $key IN ($this->where)", $this->values, lock: $lock);
        }
        if ($this->dialect->driver() === 'mysql') {
            return (int) $inserted === 0 ? [] : $this->read(" WHERE $key = ?", [(int) $inserted], lock: $lock);
        }

        return $this->read(" WHERE $key = currval(?)", $this->values);
    }

    /**
     * The rows of another table that refer to those that a DELETE finds, right before it.
     *
     * @param array{event: string, referred: string, referring: string} $effect what becomes of them
     */
    public function referring(Table $table, array $effect): self|string
    {
        $keys = array_column($this->before, $this->table->key);
        $quote = $this->dialect->quote(...);
        $rows = new AffectedRows($effect['event'], $quote($table->name));
        $images = new self($table, $rows, $this->dialect, $this->select);
        try {
            // The column that is referred to stands on the left, so it decides how they compare, as in the database.
            $found = $images->read(\sprintf(
                ' WHERE %s IN (%s)',
                $this->column($this->table->key),
                implode(', ', array_fill(0, \count($keys), '?')),
            ), $keys, \sprintf(
                '%s %s JOIN %s ON %s = %s',
                $this->rows->from,
                $this->facts === null ? 'CROSS' : 'INNER',
                $rows->from,
                $this->column($effect['referred']),
                $images->column($effect['referring']),
            ), $this->facts === null ? '' : ' FOR UPDATE');

            return $found === null
                ? self::NOT_FOUND
                : new self(
                    $table,
                    $rows,
                    $this->dialect,
                    $this->select,
                    $found,
                    facts: $this->facts,
                    isUnique: true,
                );
        } catch (PDOException $exception) {
            if ($this->facts !== null) {
                throw $exception;
            }

            return 'its rows could not be read';
        }
    }

    public function table(): Table
    {
        return $this->table;
    }

    /** How many rows were found before it; null: it inserts. */
    public function found(): ?int
    {
        return $this->facts === null || $this->rows->verb === Write::INSERT ? null : \count($this->before);
    }

    /** Whether the statement finds nothing, so it fires no trigger either. */
    public function isEmpty(): bool
    {
        return $this->rows->verb !== Write::INSERT && $this->before === [];
    }

    public function areTooMany(): bool
    {
        return max(\count($this->before), \count($this->rows->rows)) > KeyedRows::MOST;
    }

    /**
     * What the statement has changed, after it has run.
     *
     * @param int|null $affected number of rows; null: unknown
     * @param string   $inserted the number of the row that was inserted last
     *
     * @return array<string, Name>|string why it cannot be known
     */
    public function names(?int $affected, string $inserted): array|string
    {
        if ($this->facts !== null) {
            return $this->lockedNames($this->facts, $affected, $inserted);
        }
        try {
            $after = $this->after($affected, $inserted);
        } catch (PDOException) {
            return 'its rows could not be read';
        }
        if ($after === null) {
            return self::NOT_FOUND;
        }
        $count = $this->rows->verb === Write::INSERT ? \count($after) : \count($this->before);
        $isSame = $this->rows->verb !== Write::UPDATE || $this->keys($this->before) === $this->keys($after);
        // A statement with RETURNING has not been counted. One row that was inserted is known by its number.
        $isCounted = ($this->rows->values === [] ? $affected === $count : $affected === 1 && $count > 0)
            || ($affected === null && ($this->rows->isOne || $this->rows->verb !== Write::INSERT));
        if (!$isSame || !$isCounted) {
            return 'the rows that it changed are not those that were found';
        }

        return $this->keyed->names([...$this->before, ...$after]);
    }

    /** @return list<array<string, scalar|null>>|null null: not each can be found again by its key */
    private function after(?int $affected, string $inserted): ?array
    {
        $number = $this->dialect->rowNumber();
        if ($affected === 0 || $this->rows->verb === Write::DELETE || $this->isEmpty()) {
            return [];
        }
        $isUpdate = $this->rows->verb === Write::UPDATE
            || ($this->rows->conflict->action === Conflict::UPDATE && $this->before !== []);
        if ($isUpdate) {
            // An upsert that changes a row leaves the number of the last one that was inserted as it is.
            $keys = array_column($this->before, $this->table->key);
            $in = implode(', ', array_fill(0, \count($keys), '?'));

            return $this->read(\sprintf(' WHERE %s IN (%s)', $this->column($this->table->key), $in), $keys);
        }
        if ($this->rows->isOne) {
            $keys = array_column($this->before, $this->table->key);

            return $this->read(\sprintf(
                ' WHERE %s = ?%s',
                $number,
                str_repeat(' OR ' . $this->column($this->table->key) . ' = ?', \count($keys)),
            ), [(int) $inserted, ...$keys]);
        }

        // Nobody else inserts, so as many rows above the former top as were inserted are all of them.
        return $this->top === null
            ? $this->read('', [])
            : $this->read(\sprintf(' WHERE %s > ?', $number), [$this->top]);
    }

    /**
     * @param list<array<string, string>> $uniques
     *
     * @return string the condition that rows fulfil which the new one must not stand beside
     */
    private function inTheWay(array $uniques): string
    {
        $any = ['0'];
        foreach ($uniques as $collations) {
            $all = [];
            foreach ($collations as $column => $collation) {
                // A column that is left out is NULL, which is in nobody's way.
                $value = $this->rows->values[$column] ?? 'NULL';
                $collate = $this->dialect->quote($collation);
                $all[] = \sprintf('%s = (%s) COLLATE %s', $this->column($column), $value, $collate);
            }
            $any[] = '(' . implode(' AND ', $all) . ')';
        }

        return implode(' OR ', \array_slice($any, min(1, \count($any) - 1)));
    }

    /** @param array<int, scalar|null> $values
     *
     * @return list<array<string, scalar|null>>|null
     */
    private function read(string $where, array $values, ?string $from = null, string $lock = ''): ?array
    {
        return $this->keyed->read($from ?? $this->rows->from, $where, $values, $lock);
    }

    private function column(string $name): string
    {
        return $this->keyed->column($name);
    }

    /**
     * @param list<array<string, scalar|null>> $rows
     *
     * @return list<scalar|null>
     */
    private function keys(array $rows): array
    {
        return $this->keyed->keys($rows);
    }
}
