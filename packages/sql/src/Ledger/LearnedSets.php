<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\LockingDialect;
use Larder\Sql\Tracker\Tracker;
use PDOException;

/**
 * @internal Adds to the list of column sets by which statements compare.
 *
 * A page may carry a name of a set as soon as its own snapshot shows the set. That needs no lock and no version: SQLite
 * has one writer at a time, and adding a set and changing a row are both writes. A change that came before the set is
 * in every snapshot that shows the set. One that comes after it reads the list under the write lock, and finds it.
 *
 * Where rows are locked one by one, adding locks a slot alone that each writer shares from the time when it has read
 * the list until its COMMIT.
 */
final readonly class LearnedSets
{
    private const MOST_OF_TABLE = 32;

    private const MOST_COLUMNS = 4;

    /** So that the write lock is held for a short time. */
    private const MOST_AT_ONCE = 4;

    private const INSERT = 'INSERT INTO larder_set (id, tbl, columns)'
        . ' SELECT (SELECT COALESCE(MAX(id), 0) + 1 FROM larder_set), ?, ?'
        . ' WHERE (SELECT COUNT(*) FROM larder_set WHERE tbl = ?) < ' . self::MOST_OF_TABLE;

    public function __construct(private Tracker $tracker) {}

    /**
     * Adds sets, unless somebody writes just now. The next result wants them again.
     *
     * @param array<string, list<list<string>>> $wanted columns by table
     */
    public function add(array $wanted): void
    {
        $isFree = !$this->tracker->transaction()->isOpen() && !$this->tracker->inSnapshot();
        if ($isFree && $this->unknown($wanted) !== []) {
            $this->write($wanted);
        }
    }

    /** @param array<string, list<list<string>>> $wanted */
    private function write(array $wanted): void
    {
        $this->tracker->own->dialect()->choose(
            fn() => $this->writeHere($wanted),
            fn(LockingDialect $dialect) => $this->writeAside($wanted, $dialect),
        );
    }

    /** @param array<string, list<list<string>>> $wanted */
    private function writeHere(array $wanted): void
    {
        $own = $this->tracker->own;
        $usual = current($own->rows($own->dialect()->usualPatience())[0] ?? []);
        [$at, $after] = $own->dialect()->patience(0, is_numeric($usual) ? (int) $usual : 0);
        try {
            $own->change($at);
            $this->tracker->begin();
            // Others may have added the same ones meanwhile.
            foreach (\array_slice($this->unknown($wanted), 0, self::MOST_AT_ONCE) as [$table, $set]) {
                $own->change(self::INSERT, [$table, $set, $table]);
            }
            $this->tracker->transaction()->commit();
        } catch (PDOException|LedgerUnavailable) {
            if ($this->tracker->transaction()->isOpen()) {
                $this->tracker->transaction()->takeBack();
            }
        } finally {
            $own->change($after);
        }
    }

    /**
     * Adds on the second connection, and never waits: InnoDB kills who waits there, and PostgreSQL stalls behind it.
     *
     * @param array<string, list<list<string>>> $wanted
     */
    private function writeAside(array $wanted, LockingDialect $dialect): void
    {
        try {
            $second = $this->tracker->second();
            $second->transaction(function () use ($second, $wanted, $dialect): void {
                // The slots are counted only where names have them.
                if (!(new LockingState($second, $dialect, 0))->lock([Dialect::SETS], false, false)) {
                    return;
                }
                foreach (\array_slice($this->unknown($wanted), 0, self::MOST_AT_ONCE) as [$table, $set]) {
                    $known = 'SELECT id FROM larder_set WHERE tbl = ? AND columns = ?';
                    if ($second->rows($known, [$table, $set]) === []) {
                        $second->change(self::INSERT, [$table, $set, $table]);
                    }
                }
            });
        } catch (PDOException|LedgerUnavailable) {
            // The next result wants them again.
            return;
        }
    }

    /**
     * @param array<string, list<list<string>>> $wanted
     *
     * @return list<array{string, string}> tables in lower case, each with the columns of a set
     */
    private function unknown(array $wanted): array
    {
        $unknown = [];
        foreach ($wanted as $name => $sets) {
            $table = $this->tracker->registry()->find($name);
            if ($table === null || $table->isDeclared() || \count($table->sets) >= self::MOST_OF_TABLE) {
                continue;
            }
            $written = array_combine(
                array_map(strtolower(...), array_keys($table->columns)),
                array_keys($table->columns),
            );
            foreach ($sets as $set) {
                $set = array_unique(array_map(strtolower(...), $set));
                $columns = array_values(array_intersect_key($written, array_flip($set)));
                sort($columns);
                $isComplete = \count($columns) === \count($set) && $columns !== [];
                if ($isComplete && \count($columns) <= self::MOST_COLUMNS && $columns !== [$table->key]
                    && !\in_array($columns, $table->sets, true)) {
                    $added = [strtolower($table->name), implode(',', $columns)];
                    $unknown[implode(' ', $added)] = $added;
                }
            }
        }

        return array_values($unknown);
    }
}
