<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Dependency\Gate\WriterGates;
use Larder\Exception\UnfinishedWrite;
use PDO;
use PDOException;
use Throwable;

/**
 * A connection whose statements nobody follows.
 *
 * @internal
 */
final readonly class PdoSource implements DataSource
{
    /** Changes nothing, and fails in a transaction, also one that PDO does not know of, as after exec('BEGIN'). */
    public const OUTSIDE = 'PRAGMA temp.synchronous = 1';

    /** The second one fails as long as a statement of this connection that reads is not at its end. */
    public const AT_END = ['CREATE TEMP TABLE IF NOT EXISTS larder_probe (a)', 'DROP TABLE temp.larder_probe'];

    /** Drivers whose inTransaction() asks the server, and whose statements outside of a transaction see the present. */
    private const KNOWN = ['mysql', 'pgsql'];

    private ?string $driver;

    /** Whether its statements alone tell the state of its transaction, as with SQLite. */
    private bool $isAsked;

    /** @param (Closure(): bool)|null $told whether a transaction is open, where the application begins and commits */
    public function __construct(
        private PDO $pdo,
        private ?Closure $told,
    ) {
        $driver = $pdo->getAttribute(PDO::ATTR_DRIVER_NAME);
        $this->driver = \is_string($driver) ? $driver : null;
        $this->isAsked = $driver === 'sqlite';
    }

    public function names(): Names
    {
        return new Words();
    }

    public function isOf(object $connection): bool
    {
        return $connection === $this->pdo;
    }

    /** @phpstan-impure */
    public function inTransaction(): bool
    {
        return ($this->told !== null && ($this->told)())
            || $this->pdo->inTransaction()
            || ($this->isAsked && !$this->runs(self::OUTSIDE));
    }

    /** @phpstan-impure */
    public function mayHaveWritten(): bool
    {
        return $this->inTransaction();
    }

    public function doubt(): ?Unstored
    {
        return match (true) {
            !$this->isAsked => $this->told !== null || \in_array($this->driver, self::KNOWN, true)
                ? null
                : Unstored::UnknownSnapshot,
            !$this->runs(self::AT_END[0]) => Unstored::UnknownSnapshot,
            default => $this->runs(self::AT_END[1]) ? null : Unstored::OldSnapshot,
        };
    }

    public function recording(): null
    {
        return null;
    }

    public function change(Names $names, Closure $write, WriterGates $gates): mixed
    {
        if ($this->told !== null) {
            return (new ToldSource($this->told))->change($names, $write, $gates);
        }
        $change = null;
        try {
            $this->pdo->beginTransaction();
            $change = new Change($names, $gates->closeAndCheck(...));
            $made = $write($change);
            UnfinishedWrite::check($made);
            $change->check();
            $this->pdo->commit();

            return $made;
        } catch (Throwable $exception) {
            if ($change !== null) {
                $gates->failed($this->isRolledBack() ? true : null, $change->names());
            }
            throw $exception;
        }
    }

    private function isRolledBack(): bool
    {
        try {
            return $this->pdo->inTransaction() && $this->pdo->rollBack();
        } catch (Throwable) {
            return false;
        }
    }

    private function runs(string $statement): bool
    {
        try {
            return @$this->pdo->exec($statement) !== false;
        } catch (PDOException) {
            return false;
        }
    }
}
