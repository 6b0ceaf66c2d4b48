<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Larder\Sql\Reading\Grammar;
use Larder\Sql\Reading\Write;

/** @internal What a database says of its schema, and how its columns compare. */
interface Catalog
{
    /** A query with a name as its parameter. It returns one row for a table and none for a view. */
    public function tableQuery(): string;

    /**
     * A query for a number that another one follows whenever the schema changes. As the first read it fixes the state
     * that a snapshot sees. Where rows are locked one by one, the ledger's tables say it, and the number of the last
     * column set that was learned stands beside it.
     */
    public function schemaVersion(): string;

    /** The same number, as an expression in a query. */
    public function schemaNumber(): string;

    /**
     * A query for all in the schema that lets a statement write to more than its own table. Its columns:
     *
     * - `kind`: `key` for a foreign key that is enforced, `trigger`, `replace` for a table whose constraints remove
     *   rows that are in the way, `conflict` for one whose constraints say what is done at a conflict, `table` for each
     *   table that is no view and not virtual, `other` for what a statement can write to and is no such table,
     *   `routine` for a function of somebody's own, `ledger` if the ledger's tables are there;
     * - `name`: the table that the statement writes to;
     * - `other`: of a key, the table that refers to it; of a table, `number` if its rows have a rowNumber(); of a
     *   trigger whose text does not say it, the event, null: any;
     * - `referred`: of a key, the column of `name` that is referred to; null: its primary key;
     * - `referring`: of a key of one column, the column of `other`; null: it has more;
     * - `alike`: of a key, 1 if the columns on both sides convert values in the same way; null: see typeOf();
     * - `on_update`, `on_delete`: of a key, what is done: `CASCADE`, `SET NULL`, …;
     * - `sql`: of a trigger, its text, or that of its body alone; null: it cannot be seen.
     */
    public function sideEffects(): string;

    /**
     * What triggers write.
     *
     * @param list<array<string, scalar|null>> $rows    of sideEffects()
     * @param list<string>                     $tables  ordinary ones, in lower case
     * @param list<string>                     $unclear names, in lower case, with which it is not known what is written
     *
     * @return array<string, list<array{list<string>, list<Write>|null}>> events and writes, by the trigger's table in
     *     lower case; null: unknown
     */
    public function triggers(array $rows, array $tables, array $unclear): array;

    /**
     * A query for what must be unique in a table, and its parameter, the table's name. One without a parameter is for
     * all tables at once, and has `table` as a further column. Its columns:
     *
     * - `name`: of the constraint;
     * - `column`: one of its columns, in lower case; null: an expression;
     * - `collation`: by which it compares;
     * - `made`: 1 if the database may make the column's value, from a default or an expression.
     *
     * @param string $table in lower case
     *
     * @return array{string, list<string>}
     */
    public function uniques(string $table): array;

    /** What it means that a trigger has no event in sideEffects(), and the remedy; '': it is one like others. */
    public function unseen(): string;

    /**
     * A query for all tables, without those of the database itself. Its columns: `name`; `sql`, the text that made it,
     * if that says how its columns compare; `virtual`, 1 if its rows lie elsewhere; `utf8`, 1 if texts are equal if
     * their bytes are; `hidden`, 1 if the name means a temporary table; `ordinary`, 0 if it is no table whose rows are
     * all its own, such as a view; `engine`, of a table whose engine has no transactions, else null.
     */
    public function tables(): string;

    /**
     * A query for the views whose text says all that they do. Its columns: `name`; `sql`, the query that it is, or the
     * text that made it; `home`, the schema that names in it are of.
     */
    public function views(): string;

    /** How such a text is read. */
    public function viewGrammar(string $home): Grammar;

    /**
     * A query with a table's name as its parameter: one row for each column, in their order. It has `name` in lower
     * case and `type` in upper case, `written`, the name as it was declared, `required`, 1 if it is never NULL, `key`,
     * its place in the primary key, or 0, `unique`, the collation by which a primary key of one column is unique, null:
     * that of the column, and `collation`, in upper case; null: the text that made the table says it.
     */
    public function columns(): string;

    /** The same for all tables at once, with `table` as a further column; '': each is asked for by itself. */
    public function allColumns(): string;

    /** A query for the SQL text that made a table, whose name is its parameter; '': columns() says all. */
    public function tableText(): string;

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
