<?php

declare(strict_types=1);

namespace Larder\Dependency;

use PDOException;

/** What differs between databases: how a transaction begins, the tokens of SQL, the ledger's tables. */
interface Dialect
{
    /** The slot of larder_slot for the version of the schema that all stored pages were made under. No name has it. */
    public const SCHEMA = -1;

    /** Begins a transaction that takes the write lock; where rows are locked one by one, at its first write. */
    public function begin(): string;

    /** PDO's name of the driver, with which a DSN begins. */
    public function driver(): string;

    /** The exception of a connection that was not made, with what the database's words leave out. */
    public function unopened(string $dsn, PDOException $exception): PDOException;

    /** A query for the database's Unix time in whole seconds. */
    public function clock(): string;

    /** Begins a transaction whose reads all see one state of the database, that of its first read. */
    public function beginSnapshot(): string;

    /**
     * Bounds how long the statements of a publication wait for a lock.
     *
     * @return array{string, string} the statement before it, and the one after it that restores the usual patience
     */
    public function patience(int $milliseconds, int $usual): array;

    /** A query for the usual patience, in milliseconds. */
    public function usualPatience(): string;

    /** Whether the database refused because another transaction holds the lock. */
    public function isBusy(PDOException $exception): bool;

    /** Whether a statement failed because of a constraint. */
    public function isConstraint(PDOException $exception): bool;

    /** Whether the database refused to begin a transaction because one is open on the connection. */
    public function isNested(PDOException $exception): bool;

    public function quote(string $identifier): string;

    /**
     * An INSERT that does nothing if the key exists.
     *
     * @param list<string> $columns
     */
    public function insertIfAbsent(string $table, array $columns): string;

    /** The column with each row's number, which lastInsertId() gives after an INSERT. */
    public function rowNumber(): string;

    /** An expression that is 1 if the column's value, as PDO returns it, finds this value again. */
    public function isFound(string $column): string;

    /** A query for how many rows the statement before it has changed; one that failed leaves 0 unless some stay so. */
    public function changes(): string;

    /** A statement that takes the write lock, and changes nothing. */
    public function lock(string $table): string;

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

    /** @return array{query: string, good: string, remedy: string} a query, its good answer, and what else to do */
    public function advice(): array;

    /**
     * Idempotent.
     *
     * @return list<string>
     */
    public function schema(int $slots): array;

    /**
     * PCRE for one token, whose MARK is `skip`, `string`, `quoted`, `word`, `number`, `parameter` or `sign`. A text
     * that it does not match to its end is not understood.
     */
    public function token(): string;

    /** Removes the quotes of an identifier. */
    public function unquote(string $identifier): string;

    /**
     * Whether a word, in lower case, makes a result depend on the clock, on chance or on the connection.
     *
     * @param list<list<array{string, string}>>|null $arguments the tokens of each, as Statement reads them; null: the
     *     word is not called
     */
    public function isVolatile(string $word, ?array $arguments): bool;

    /** Whether a function, in lower case, may stand in a FROM clause and reads no table. */
    public function isTableFunction(string $name): bool;
}
