<?php

declare(strict_types=1);

namespace Larder\Dependency;

use PDOException;

/** All that differs between databases: how a transaction begins, how text is read, which statements make the ledger. */
interface Dialect
{
    /** Begins a transaction that holds the write lock, or takes it at its first write where rows are locked one by one. */
    public function begin(): string;

    /** Begins a transaction whose reads all see one state of the database. */
    public function beginSnapshot(): string;

    /**
     * Bounds how long the statements of a publication wait for a lock.
     *
     * @return array{string, string} a statement before it, and one after it that goes back to the usual
     */
    public function patience(int $milliseconds, int $usual): array;

    /** A query for the usual patience, in milliseconds. */
    public function usualPatience(): string;

    /** Whether the database refused because another transaction holds the lock. */
    public function isBusy(PDOException $exception): bool;

    public function quote(string $identifier): string;

    /**
     * An INSERT that does nothing when the key is there already.
     *
     * @param list<string> $columns
     */
    public function insertIfAbsent(string $table, array $columns): string;

    /** A query with a table's name as its parameter: one row for a table, none for a view or nothing. */
    public function tableQuery(): string;

    /** @return array{query: string, good: string, remedy: string} a query whose answer tells whether the database is set up well */
    public function advice(): array;

    /**
     * Idempotent.
     *
     * @return list<string>
     */
    public function schema(int $slots): array;

    /**
     * PCRE for one token, with the groups `skip`, `string`, `quoted`, `word`, `number`, `parameter` and `sign`; whatever it
     * does not match makes the statement unreadable.
     */
    public function token(): string;

    /** The text of an identifier without its quotes. */
    public function unquote(string $identifier): string;

    /** Words that make the answer depend on more than the tables: the clock, chance, the connection. Lower case. */
    public function isVolatile(string $function, bool $called, string $argument): bool;

    /** Functions in a FROM clause that read no table. Lower case. */
    public function isTableFunction(string $name): bool;
}
