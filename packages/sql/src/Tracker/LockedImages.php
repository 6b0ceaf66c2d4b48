<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Reading\AffectedRows;
use Larder\Sql\Reading\Conflict;
use Larder\Sql\Reading\Write;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\LockingDialect;
use Larder\Sql\Schema\Table;
use Larder\Sql\Schema\TableFacts;
use PDOException;

/**
 * @internal The rows that one statement changes on a server, read right before it and right after it. There others
 * write between the images and the statement, so the rows that are found stay locked, and what the statement counts
 * must fit them.
 */
final readonly class LockedImages
{
    private const SAVEPOINT = 'larder_image';

    /**
     * @param list<array<string, scalar|null>> $before
     * @param list<scalar|null> $values of the parameters of its condition, or of the keys that it inserts
     * @param bool              $isUnique whether its condition finds one row at most
     * @param string|null       $where  the condition on the key of what it inserts; null: the database makes the key
     * @param list<string>      $assigned columns that it sets, or may set
     */
    private function __construct(
        private KeyedRows $keyed,
        private AffectedRows $rows,
        private LockingDialect $dialect,
        private array $before,
        private array $values,
        private bool $isUnique,
        private ?string $where = null,
        private array $assigned = [],
    ) {}

    /**
     * @param Closure(string, array<int, scalar|null>): list<array<string, scalar|null>> $select
     * @param bool $isInside whether the application's transaction must outlive an error of the image, which ends one of
     *     PostgreSQL
     *
     * @return self|string why they cannot be known
     *
     * @throws PDOException if the statement itself cannot run either: it would wait for too long, or the transaction is
     *     lost
     */
    public static function before(
        Table $table,
        Write $write,
        AffectedRows $rows,
        ?RunningStatement $statement,
        LockingDialect $dialect,
        Closure $select,
        TableFacts $facts,
        bool $isInside,
    ): self|string {
        $sent = self::sent($rows, $statement);
        $keyed = new KeyedRows($table, $dialect, $select);
        if ($rows->verb === Write::INSERT) {
            return self::inserting($keyed, $write, $rows, $sent, $dialect, $facts);
        }
        $values = [];
        foreach ($rows->order as $number) {
            if (!\array_key_exists($number, $sent)) {
                return KeyedRows::NO_VALUE;
            }
            $values[] = $sent[$number];
        }
        $isUnique = self::isUnique($table, $rows, $values);
        $assigned = [...$write->columns ?? $rows->names, ...$facts->made($write->table)];
        $images = new self($keyed, $rows, $dialect, [], $values, $isUnique);
        $isKept = $dialect->failsWhole() && $isInside && !$images->isSafe();
        if ($isKept) {
            // PDO may have failed the transaction without a word, by what it sends when a statement is freed.
            $select('SAVEPOINT ' . self::SAVEPOINT, []);
        }
        try {
            $found = $images->read($images->condition(), $dialect->lockFound($isUnique, $rows->verb === Write::DELETE));
            if ($isKept) {
                $select('RELEASE SAVEPOINT ' . self::SAVEPOINT, []);
            }
        } catch (PDOException $exception) {
            if ($isKept) {
                $select('ROLLBACK TO SAVEPOINT ' . self::SAVEPOINT, []);
                $select('RELEASE SAVEPOINT ' . self::SAVEPOINT, []);
            } elseif ($dialect->failsWhole() || $dialect->isBusy($exception)) {
                throw $exception;
            }

            return KeyedRows::UNREAD;
        }

        return $found === null
            ? KeyedRows::NOT_FOUND
            : new self($keyed, $rows, $dialect, $found, $values, $isUnique, assigned: $assigned);
    }

    /** @return array<int, scalar|null> values by the number of their parameter */
    public static function sent(AffectedRows $rows, ?RunningStatement $statement): array
    {
        $sent = [];
        foreach ($rows->parameters as $number => $name) {
            $value = $statement?->sent($number, $name);
            if ($value !== null) {
                $sent[$number] = $value[0];
            }
        }

        return $sent;
    }

    /** @param array<int, scalar|null> $sent values by the number of their parameter */
    private static function inserting(
        KeyedRows $keyed,
        Write $write,
        AffectedRows $rows,
        array $sent,
        LockingDialect $dialect,
        TableFacts $facts,
    ): self|string {
        $table = $keyed->table;
        $key = strtolower($table->key);
        $columns = $rows->columns ?? $table->allColumns;
        $at = array_search($key, $columns ?? [], true);
        if ($columns === null || \count($columns) !== \count($rows->rows[0] ?? [])) {
            return 'an INSERT does not name its columns';
        }
        $isNumbered = $facts->number($write->table) === $key;
        $mayBeNumber = $dialect->comparesTextWithNumber() || $table->columns[$table->key] === ColumnType::Integer;
        $texts = $values = [];
        foreach ($rows->rows as $row) {
            $value = $at === false ? 'default' : $row[$at];
            $isSent = \is_int($value) && \array_key_exists($value, $sent);
            if ($value === null || (\is_int($value) && !$isSent)) {
                return 'the key of an INSERT is no constant';
            }
            if (\is_string($value) && preg_match("/^[0-9.]/", $value) === 1 && !$mayBeNumber) {
                return 'the key of an INSERT is a number, and that of the table is a text';
            }
            $plain = \is_int($value) ? $sent[$value] ?? 'null' : strtolower($value);
            if ($dialect->makesKey($plain, \is_int($value), $isNumbered)) {
                $sequence = $facts->sequence($write->table);
                $isCertain = $dialect->hasLastNumber()
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

        return new self($keyed, $rows, $dialect, [], $values, $rows->isOne, $where);
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
        $table = strtolower($this->keyed->table->name);
        $value = $this->values[0] ?? 0;

        return $this->rows->condition === '' || ($this->isUnique
            && array_diff($this->rows->names, [$table, strtolower($this->keyed->table->key)]) === []
            && $this->keyed->table->columns[$this->keyed->table->key] === ColumnType::Integer
            && \count($this->values) < 2
            && \abs((int) $value) < 32_768);
    }

    private function condition(): string
    {
        return $this->rows->condition === '' ? '' : " WHERE ({$this->rows->condition})";
    }

    /**
     * The rows of another table that refer to those that a DELETE finds, right before it.
     *
     * @param array{event: string, referred: string, referring: string} $effect what becomes of them
     *
     * @throws PDOException
     */
    public function referring(Table $table, array $effect): self|string
    {
        $other = $this->keyed->of($table);
        $rows = new AffectedRows($effect['event'], $this->dialect->quote($table->name));
        $found = $other->referringTo($this->keyed, $this->before, $this->rows->from, $rows->from, $effect, 'INNER');

        return $found === null
            ? KeyedRows::NOT_FOUND
            : new self($other, $rows, $this->dialect, $found, [], true);
    }

    public function table(): Table
    {
        return $this->keyed->table;
    }

    /** How many rows were found before it; null: it inserts. */
    public function found(): ?int
    {
        return $this->rows->verb === Write::INSERT ? null : \count($this->before);
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
     *
     * @throws PDOException
     */
    public function names(?int $affected, string $inserted): array|string
    {
        if ($affected === 0 && $this->rows->conflict->action === Conflict::KEEP) {
            return [];
        }
        $isInsert = $this->rows->verb === Write::INSERT;
        $count = $isInsert ? \count($this->rows->rows) : \count($this->before);
        $mayBeSame = $this->rows->verb === Write::UPDATE && !$this->dialect->countsSame();
        if ($affected === null || ($mayBeSame ? $affected > $count : $affected !== $count)) {
            return KeyedRows::OTHERS;
        }
        if ($mayBeSame && !$this->isUnique) {
            // It counts the rows that got another value, and may have waited for one that was locked before.
            if (array_intersect($this->assigned, $this->rows->names) !== []) {
                return 'a statement assigns a column of its own WHERE';
            }
            // What others hold is no row that the statement has found: it would have waited for it, and hold it now.
            $again = $this->read($this->condition(), $this->dialect->lockFound(false, false));
            if ($again === null || $this->keyed->keys($again) !== $this->keyed->keys($this->before)) {
                return KeyedRows::OTHERS;
            }
        }
        if ($mayBeSame && $affected === 0) {
            return [];
        }
        $after = $this->after($inserted);
        $isSame = $this->rows->verb !== Write::UPDATE
            || $this->keyed->keys($this->before) === $this->keyed->keys($after ?? []);
        if ($after === null || !$isSame || ($isInsert && \count($after) !== $count)) {
            return $after === null ? KeyedRows::NOT_FOUND : KeyedRows::OTHERS;
        }

        return $this->keyed->names([...$this->before, ...$after]);
    }

    /** @return list<array<string, scalar|null>>|null */
    private function after(string $inserted): ?array
    {
        $key = $this->keyed->column($this->keyed->table->key);
        $isUpdate = $this->rows->verb === Write::UPDATE;
        if ($this->rows->verb === Write::DELETE || ($isUpdate && $this->before === [])) {
            return [];
        }
        [$where, $values] = match (true) {
            $isUpdate => [
                \sprintf('%s IN (%s)', $key, implode(', ', array_fill(0, \count($this->before), '?'))),
                array_column($this->before, $this->keyed->table->key),
            ],
            $this->where !== null => ["$key IN ($this->where)", $this->values],
            default => $this->dialect->numbered($key, $inserted, $this->values) ?? ['', []],
        };

        return $where === ''
            ? []
            : $this->keyed->read($this->rows->from, " WHERE $where", $values, $this->dialect->lockWritten());
    }

    /** @return list<array<string, scalar|null>>|null */
    private function read(string $where, string $lock): ?array
    {
        return $this->keyed->read($this->rows->from, $where, $this->values, $lock);
    }
}
