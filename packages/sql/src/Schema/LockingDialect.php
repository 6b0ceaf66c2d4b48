<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Larder\Sql\Exception\LedgerUnavailable;

/** @internal A database that locks rows one by one: how the ledger locks its slots there, and raises their versions. */
interface LockingDialect extends Dialect
{
    public function catalog(): LockingCatalog;

    /** Whether statements commit what is open, such as BEGIN and DDL. */
    public function commitsByItself(): bool;

    /** What begins a statement that commits in two phases, in lower case. */
    public function twoPhases(): string;

    /**
     * An expression that locks a slot until the transaction ends, and writes nothing; null: a locking read of rows is
     * as good, since that writes to none either, and sees those that are being inserted.
     *
     * @param string $slot the number, or an expression
     */
    public function advisoryLock(string $slot, bool $isShared, bool $waits): ?string;

    /**
     * The end of a SELECT of the rows that a statement is going to write. They are locked as the statement itself would
     * lock them, so that nobody waits for more than for it.
     *
     * @param bool $isUnique whether it is one row at most, by its key
     */
    public function lockFound(bool $isUnique, bool $isDelete): string;

    /** The end of a SELECT of the rows that a statement has written, so that it sees them as they are now. */
    public function lockWritten(): string;

    /** Whether an UPDATE counts the rows too that it leaves as they were. */
    public function countsSame(): bool;

    /** Whether the rows are counted that a statement changes which returns some. */
    public function countsReturned(): bool;

    /**
     * Whether the count of an upsert tells a new row, 1, from one that was in its way, and the number of the row that
     * was inserted last is that of either. Else each row counts once, and is found by the values of its unique keys.
     */
    public function tellsUpsert(): bool;

    /** Whether a text may be compared with a number that is written in the statement. */
    public function comparesTextWithNumber(): bool;

    /**
     * Whether the database makes the key of a row for which an INSERT has this value.
     *
     * @param scalar|null $value       a constant as it is written, in lower case, or the value of a parameter
     * @param bool        $isParameter which of both it is
     * @param bool        $isNumbered  whether the database numbers the key
     */
    public function makesKey(int|string|float|bool|null $value, bool $isParameter, bool $isNumbered): bool;

    /**
     * A condition for the row that was numbered last, with its values; null: there is none.
     *
     * @param string            $column   that is numbered
     * @param string            $inserted the number, where the driver has it
     * @param list<scalar|null> $sequence by which it is numbered, where that has a name
     *
     * @return array{string, list<scalar|null>}|null
     */
    public function numbered(string $column, string $inserted, array $sequence): ?array;

    /** An expression for the session's account, as GRANT has it. */
    public function account(): string;

    /**
     * Rights that no statement of Larder's can try before it is needed.
     *
     * @return list<array{check: string, query: string, remedy: string, isNeeded: bool}> what holds, a query that says 1
     *     then, what else to do, and whether Larder can do without
     */
    public function rights(): array;

    /**
     * A query that locks slots until its transaction ends, in their order. It returns one row for each lock that it
     * got.
     *
     * @param non-empty-list<int> $slots ascending
     * @param bool                $waits false: what is not free at once is left out
     */
    public function locks(array $slots, bool $isShared, bool $waits): string;

    /**
     * Statements that lock slots until the transaction ends, in their order, and add a number to the version of each.
     * The last one says how many slots it raised.
     *
     * @param non-empty-list<int> $slots    ascending
     * @param int                 $number   that no other raise has
     * @param bool                $isShared whether others may raise them at the same time
     * @param list<int>           $beside   slots below them that are locked too, shared, and not raised
     *
     * @return non-empty-list<string>
     */
    public function raises(array $slots, int $number, bool $isShared, array $beside = []): array;

    /** The part of a SELECT of rows that locks them for this transaction alone, and leaves out what is not free. */
    public function freeRows(): string;

    /** An expression that says whether what is committed outlives the end of the server: a Durability. */
    public function durability(): string;

    /** A query whose column `local` is 1 if the server runs on this host for certain. */
    public function isLocal(): string;

    /** An INSERT of a row, or an addition to that of the same key. The last column is the sum. */
    public function addTo(string $table, string $keys, string $sum): string;

    /**
     * A query that lets the connection hold a lock until it ends. Its column `owner` is what the lock is found by;
     * null: no statement commits by itself.
     */
    public function ownerLock(): ?string;

    /** A query for the `id` of the gates whose owner holds its lock no more; null: there are no gates. */
    public function gatesWithoutOwner(): ?string;

    /**
     * What stands behind a table's other name so that its rows are found by an index, since a look at all of them would
     * wait for those that others have locked; '' where it would not.
     */
    public function by(string $index): string;

    /** An expression for the number of the row that was inserted last into a table that counts them. */
    public function lastNumber(): string;

    /**
     * Makes one raise of all that a slot has, which leaves its version as it is. What another one is making one is left
     * alone.
     *
     * @param Connection          $connection in a transaction that sees what is committed
     * @param non-empty-list<int> $slots
     * @param int                 $most       raises that a slot may have
     *
     * @throws LedgerUnavailable
     */
    public function compact(Connection $connection, array $slots, int $most): void;

    /** The beginning of a DELETE of a table whose other name is `t`. */
    public function delete(string $table): string;
}
