<?php

declare(strict_types=1);

namespace Larder\Dependency;

use PDOException;

/** What differs between databases: how a transaction begins, the tokens of SQL, the ledger's tables. */
interface Dialect
{
    /** Begins a transaction that takes the write lock; where rows are locked one by one, at its first write. */
    public function begin(): string;

    /** Begins a transaction whose reads all see one state of the database. */
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

    public function quote(string $identifier): string;

    /**
     * An INSERT that does nothing if the key exists.
     *
     * @param list<string> $columns
     */
    public function insertIfAbsent(string $table, array $columns): string;

    /** A query with a name as its parameter. It returns one row for a table and none for a view. */
    public function tableQuery(): string;

    /** @return array{query: string, good: string, remedy: string} a query, its good answer, and what else to do */
    public function advice(): array;

    /**
     * Idempotent.
     *
     * @return list<string>
     */
    public function schema(int $slots): array;

    /**
     * PCRE for one token, with the groups `skip`, `string`, `quoted`, `word`, `number`, `parameter` and `sign`. A
     * statement that it does not match is not understood.
     */
    public function token(): string;

    /** Removes the quotes of an identifier. */
    public function unquote(string $identifier): string;

    /** Whether a word, in lower case, makes a result depend on the clock, on chance or on the connection. */
    public function isVolatile(string $function, bool $called, string $argument): bool;

    /** Whether a function, in lower case, may stand in a FROM clause and reads no table. */
    public function isTableFunction(string $name): bool;
}
