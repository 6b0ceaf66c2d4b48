<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Reading\AffectedRows;
use Larder\Sql\Reading\Conflict;
use Larder\Sql\Reading\Write;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Table;
use PDOException;

/**
 * @internal The rows that one statement changes, read right before it and right after it. Nobody else writes between,
 * since the transaction has the write lock, or the snapshot without which it does not get it.
 */
final readonly class OneWriterImages
{
    /**
     * @param list<array<string, scalar|null>> $before
     * @param int|null                         $top    the highest row number before it
     */
    private function __construct(
        private KeyedRows $keyed,
        private AffectedRows $rows,
        private Dialect $dialect,
        private array $before = [],
        private ?int $top = null,
    ) {}

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
                return KeyedRows::NO_VALUE;
            }
            $values[$number - 1] = $sent[0];
        }
        $images = new self(new KeyedRows($table, $dialect, $select), $rows, $dialect);
        try {
            if ($rows->verb !== Write::INSERT || $rows->values !== []) {
                if ($rows->values !== [] && $uniques === null) {
                    return 'it is not known which rows are in the way of a statement';
                }
                $where = $uniques === null ? $rows->condition : $images->inTheWay($uniques);
                $found = $where === '0' ? [] : $images->read($where === '' ? '' : " WHERE ($where)", $values);

                return $found === null ? KeyedRows::NOT_FOUND : new self($images->keyed, $rows, $dialect, $found);
            }
            if (!$rows->isOne) {
                $most = $select(\sprintf('SELECT max(%s) AS top FROM %s', $dialect->rowNumber(), $rows->from), []);
                $top = $most[0]['top'] ?? null;

                return new self($images->keyed, $rows, $dialect, top: \is_int($top) ? $top : null);
            }

            return $images;
        } catch (PDOException) {
            return KeyedRows::UNREAD;
        }
    }

    /**
     * The rows of another table that refer to those that a DELETE finds, right before it.
     *
     * @param array{event: string, referred: string, referring: string} $effect what becomes of them
     */
    public function referring(Table $table, array $effect): self|string
    {
        $other = $this->keyed->of($table);
        $rows = new AffectedRows($effect['event'], $this->dialect->quote($table->name));
        try {
            $found = $other->referringTo($this->keyed, $this->before, $this->rows->from, $rows->from, $effect, 'CROSS');

            return $found === null ? KeyedRows::NOT_FOUND : new self($other, $rows, $this->dialect, $found);
        } catch (PDOException) {
            return KeyedRows::UNREAD;
        }
    }

    public function table(): Table
    {
        return $this->keyed->table;
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
        try {
            $after = $this->after($affected, $inserted);
        } catch (PDOException) {
            return KeyedRows::UNREAD;
        }
        if ($after === null) {
            return KeyedRows::NOT_FOUND;
        }
        $count = $this->rows->verb === Write::INSERT ? \count($after) : \count($this->before);
        $isSame = $this->rows->verb !== Write::UPDATE
            || $this->keyed->keys($this->before) === $this->keyed->keys($after);
        // A statement with RETURNING has not been counted. One row that was inserted is known by its number.
        $isCounted = ($this->rows->values === [] ? $affected === $count : $affected === 1 && $count > 0)
            || ($affected === null && ($this->rows->isOne || $this->rows->verb !== Write::INSERT));
        if (!$isSame || !$isCounted) {
            return KeyedRows::OTHERS;
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
            $keys = array_column($this->before, $this->keyed->table->key);
            $in = implode(', ', array_fill(0, \count($keys), '?'));

            $key = $this->keyed->column($this->keyed->table->key);

            return $this->read(\sprintf(' WHERE %s IN (%s)', $key, $in), $keys);
        }
        if ($this->rows->isOne) {
            $keys = array_column($this->before, $this->keyed->table->key);

            return $this->read(\sprintf(
                ' WHERE %s = ?%s',
                $number,
                str_repeat(' OR ' . $this->keyed->column($this->keyed->table->key) . ' = ?', \count($keys)),
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
                $all[] = \sprintf('%s = (%s) COLLATE %s', $this->keyed->column($column), $value, $collate);
            }
            $any[] = '(' . implode(' AND ', $all) . ')';
        }

        return implode(' OR ', \array_slice($any, min(1, \count($any) - 1)));
    }

    /**
     * @param array<int, scalar|null> $values
     *
     * @return list<array<string, scalar|null>>|null
     */
    private function read(string $where, array $values): ?array
    {
        return $this->keyed->read($this->rows->from, $where, $values);
    }
}
