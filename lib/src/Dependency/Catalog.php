<?php

declare(strict_types=1);

namespace Larder\Dependency;

/** What a database says of its schema, and how its columns compare. */
interface Catalog
{
    /** A query with a name as its parameter. It returns one row for a table and none for a view. */
    public function tableQuery(): string;

    /**
     * A query for a number that another one follows whenever the schema changes. As the first read it fixes the state
     * that a snapshot sees.
     */
    public function schemaVersion(): string;

    /** The same number, as an expression in a query. */
    public function schemaNumber(): string;

    /**
     * A query for all in the schema that lets a statement write to more than its own table. Its columns:
     *
     * - `kind`: `key` for a foreign key that is enforced, `trigger`, `replace` for a table whose constraints remove
     *   rows that are in the way, `conflict` for one whose constraints say what is done at a conflict, `table` for each
     *   table that is no view and not virtual, `ledger` if the ledger's tables are there;
     * - `name`: the table that the statement writes to, in lower case;
     * - `other`: of a key, the table that refers to it; of a table, `number` if its rows have a rowNumber();
     * - `referred`: of a key, the column of `name` that is referred to; null: its primary key;
     * - `referring`: of a key of one column, the column of `other`; null: it has more;
     * - `alike`: of a key, 1 if the columns on both sides convert values in the same way;
     * - `on_update`, `on_delete`: of a key, what is done: `CASCADE`, `SET NULL`, …;
     * - `sql`: of a trigger, its text.
     */
    public function sideEffects(): string;

    /**
     * A query for what must be unique in a table, whose name is its parameter. Its columns:
     *
     * - `name`: of the constraint;
     * - `column`: one of its columns, in lower case; null: an expression;
     * - `collation`: by which it compares;
     * - `made`: 1 if the database may make the column's value, from a default or an expression.
     */
    public function uniques(): string;

    /**
     * A query for all tables, without views and those of the database itself. Its columns: `name`; `sql`, the text that
     * made it; `virtual`, 1 if its rows lie elsewhere; `utf8`, 1 if texts are equal if their bytes are; `hidden`, 1 if
     * the name means a temporary table.
     */
    public function tables(): string;

    /**
     * Queries with a table's name as their parameter: one row for each column, in their order, and one value, the SQL
     * text that made the table. The row has `name` in lower case and `type` in upper case, `written`, the name as it
     * was declared, `required`, 1 if it is never NULL, `key`, its place in the primary key, or 0, and `unique`, the
     * collation by which a primary key of one column is unique; null: it is the rowid.
     *
     * @return array{columns: string, text: string}
     */
    public function columns(): array;

    /**
     * How a column compares.
     *
     * @param string $declared  the column's type as it was declared, in upper case
     * @param string $collation in upper case; '': none was declared
     *
     * @return ColumnType|null null: in a way that no type describes
     */
    public function typeOf(string $declared, string $collation): ?ColumnType;

    /**
     * Whether values that are equal for the database in such a column have one canonical text of the type.
     *
     * @param string $declared  the column's type as it was declared, in upper case
     * @param string $collation in upper case; '': none was declared
     */
    public function fits(ColumnType $type, string $declared, string $collation): bool;
}
