<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** What differs between servers in the schemas that are made at random. */
interface ServerTables
{
    public function words(): Words;

    /**
     * A primary key.
     *
     * @param bool $isPlain whether it is of one column whose rows can be followed
     *
     * @return array{list<Column>, list<string>, string} columns, as they are declared, and what stands behind them all
     */
    public function key(bool $isPlain): array;

    /** A column without constraints. */
    public function column(string $name): Column;

    /** A column as it is declared, which refers to one like it. */
    public function declared(Column $column): string;

    public function generated(string $name): string;

    /** What stands behind the table's columns. */
    public function options(): string;

    /** What stands behind a foreign key. */
    public function deferral(): string;

    /**
     * @param list<RandomTable> $tables
     *
     * @return list<string>
     */
    public function trigger(string $name, RandomTable $on, array $tables): array;

    /**
     * @return list<string> indexes that may be made on a table
     */
    public function indexes(RandomTable $table, string $column, string $other): array;

    /** @return list<string> what stands before the tables */
    public function first(): array;

    /**
     * Routines: looks() reads a table, writes() and does() write one.
     *
     * @return list<string>
     */
    public function routines(RandomTable $read, RandomTable $written): array;

    /** @return list<string> settings of all connections */
    public function settings(): array;
}
