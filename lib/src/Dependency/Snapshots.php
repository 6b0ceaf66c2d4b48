<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use PDO;
use PDOException;

/**
 * Whether what a compute reads now may be older than what is committed. A version that is read now would then be too
 * new for it.
 *
 * A read is older inside a transaction that began before, and in SQLite as long as the connection has a statement that
 * was not read to its end: each later one sees the same state of the database.
 *
 * @internal
 */
final readonly class Snapshots
{
    /** Drivers whose inTransaction() asks the server, and whose statements outside of a transaction see the present. */
    private const KNOWN = ['mysql', 'pgsql'];

    /** Changes nothing, and fails in a transaction, also one that PDO does not know of, as after exec('BEGIN'). */
    private const OUTSIDE = 'PRAGMA temp.synchronous = 1';

    /** The second one fails as long as a statement of this connection that reads is not at its end. */
    private const AT_END = ['CREATE TEMP TABLE IF NOT EXISTS larder_probe (a)', 'DROP TABLE temp.larder_probe'];

    private ?string $driver;

    /** @param (Closure(): bool)|null $inTransaction asked beside the connection */
    public function __construct(
        private PDO|TrackedConnection|null $connection,
        private ?Closure $inTransaction,
    ) {
        $driver = $connection instanceof TrackedConnection
            ? $connection->dialect()->driver()
            : $connection?->getAttribute(PDO::ATTR_DRIVER_NAME);
        $this->driver = \is_string($driver) ? $driver : null;
    }

    /** @phpstan-impure */
    public function inTransaction(): bool
    {
        return ($this->inTransaction !== null && ($this->inTransaction)())
            || $this->connection?->inTransaction() === true
            || ($this->driver === 'sqlite' && !$this->runs(self::OUTSIDE));
    }

    /** Whether a transaction is open that may have written. */
    public function mayHaveWritten(): bool
    {
        return $this->connection instanceof TrackedConnection ? $this->connection->wrote() : $this->inTransaction();
    }

    /** Why what is read outside of a transaction may be older than what is committed; null: it is not. */
    public function doubt(): ?Unstored
    {
        return match (true) {
            $this->driver !== 'sqlite' => $this->inTransaction !== null || \in_array($this->driver, self::KNOWN, true)
                ? null
                : Unstored::UnknownSnapshot,
            $this->connection instanceof TrackedConnection && !$this->connection->hasStatements() => null,
            !$this->runs(self::AT_END[0]) => Unstored::UnknownSnapshot,
            default => $this->runs(self::AT_END[1]) ? null : Unstored::OldSnapshot,
        };
    }

    private function runs(string $statement): bool
    {
        try {
            $result = $this->connection instanceof TrackedConnection
                ? $this->connection->probe($statement)
                : @$this->connection?->exec($statement);
        } catch (PDOException) {
            return false;
        }

        return $result !== false;
    }
}
