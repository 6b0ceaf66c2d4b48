<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Exception\NoTransaction;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\SideEffects;
use PDOException;
use PDOStatement;
use Throwable;

/** @internal Of SQLite, where one transaction writes at a time, and does not say by itself whether it is still open. */
final readonly class OneWriterRunner implements StatementRunner
{
    /** @param Closure(string): mixed $exec runs a statement that is not looked at */
    public function __construct(
        private TransactionState $state,
        private Transaction $transaction,
        private Registry $registry,
        private Dialect $dialect,
        private SideEffects $effects,
        private Writes $writes,
        private Closure $exec,
    ) {}

    public function run(
        TrackedConnection $connection,
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        if ($parsed->writes !== []) {
            return $this->state->open
                ? $this->written($connection, $parsed, $run, $statement)
                : $this->autocommitted($connection, $parsed, $run, $statement);
        }

        return match ($parsed->verb) {
            'begin', 'start' => $this->begin($run),
            'commit', 'end' => $this->transaction->end($connection, true, $run),
            'rollback' => $this->transaction->end($connection, false, $run),
            'rollback to' => $this->transaction->guarded($run),
            'savepoint' => $this->state->open ? $this->unclear($run) : $this->begin($run),
            'release' => $this->release($connection, $run),
            'create', 'drop' => $this->altered($connection, $run),
            default => $this->unclear($run),
        };
    }

    /**
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function written(
        TrackedConnection $connection,
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        $this->state->wrote = true;
        $this->lock($parsed);
        if ($this->state->locked && $this->writes->needsSchema($parsed)) {
            $this->lookAtSchema($parsed);
        }
        $images = $this->writes->before($parsed, $statement, $this->state->knowsSchema);
        $affected = null;
        $failure = null;
        try {
            $made = $this->transaction->guarded($run);
            $affected = match (true) {
                $statement !== null => $statement->rowCount(),
                $made instanceof PDOStatement => $made->rowCount(),
                default => \is_int($made) ? $made : null,
            };

            return $made;
        } catch (Throwable $failure) {
            throw $failure;
        } finally {
            // Of a statement that failed some rows may stay.
            if ($this->state->open) {
                $this->state->locked = $this->state->locked || $failure === null;
                $this->lookAtSchema($parsed);
                $this->writes->note($parsed, $images, $affected, $connection->insertedId(), $failure);
            }
        }
    }

    /**
     * Takes the write lock before anything is read for a statement. A transaction that has read before it has the lock
     * would have to give up when another one writes in between, where the statement alone would only wait.
     */
    private function lock(Statement $parsed): void
    {
        $table = $this->state->locked ? null : $this->writes->followed($parsed);
        if ($table === null) {
            return;
        }
        try {
            ($this->exec)($this->dialect->lock($this->dialect->quote($table->name)));
            $this->state->locked = true;
        } catch (PDOException $exception) {
            if ($this->dialect->isBusy($exception)) {
                $this->transaction->look();
                throw $exception;
            }
        }
    }

    /** Only after the transaction's first statement, which fixes what the transaction sees. */
    private function lookAtSchema(Statement $parsed): void
    {
        $isSchema = \in_array($parsed->verb, ['drop', 'alter'], true);
        if ($isSchema) {
            $this->effects->forget();
        }
        if ($isSchema || !$this->state->knowsSchema) {
            $this->effects->refresh();
            $this->state->knowsSchema = true;
        }
    }

    /**
     * Runs a statement that writes outside a transaction. If pages may depend on it, it gets one.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function autocommitted(
        TrackedConnection $connection,
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        if ($this->state->within) {
            throw NoTransaction::isOver();
        }
        $returns = $parsed->returnsRows();
        if ($returns || !$this->effects->hasLedger()) {
            $this->effects->refresh();
        }
        $tables = $this->effects->hasLedger() ? $this->writes->tables($parsed->writes) : [];
        $isDeclared = fn(string $table): bool => $this->registry->find($table) !== null;
        if ($tables === [] || ($returns && array_filter($tables, $isDeclared) === [])) {
            return $run();
        }
        if ($returns) {
            throw NoTransaction::toReturnRows();
        }
        $connection->beginTransaction();
        $failure = $made = null;
        try {
            try {
                $made = $this->written($connection, $parsed, $run, $statement);
            } catch (PDOException $failure) {
                // What INSERT OR FAIL leaves stays without a transaction too. Nothing stays at another failure.
                if (!$this->state->open || !$this->dialect->isConstraint($failure)) {
                    throw $failure;
                }
            }
            $connection->commit();
        } catch (Throwable $exception) {
            if ($this->state->open) {
                $connection->takeBack();
            }
            throw $failure ?? $exception;
        }

        return $failure === null ? $made : throw $failure;
    }

    /**
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function begin(Closure $run): mixed
    {
        if ($this->state->within && !$this->state->open) {
            throw NoTransaction::isOver();
        }
        $made = $run();
        $this->transaction->over();
        $this->state->open = true;

        return $made;
    }

    /**
     * RELEASE commits, if its savepoint began the transaction.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function release(TrackedConnection $connection, Closure $run): mixed
    {
        if ($this->state->open && !$this->state->within) {
            $this->transaction->tell($connection);
        }
        $afterwards = $this->state->afterwards;
        $made = $this->unclear($run);
        $this->transaction->look();
        foreach ($this->state->open ? [] : $afterwards as $do) {
            $do();
        }

        return $made;
    }

    /**
     * Runs CREATE, or DROP of what has no rows: statements may read something else then. If pages may depend on it, it
     * gets a transaction.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function altered(TrackedConnection $connection, Closure $run): mixed
    {
        if (!$this->state->open) {
            $this->effects->refresh();
        }
        if ($this->state->open || !$this->effects->hasLedger()) {
            return $this->unclear($run);
        }

        // Often it only looks whether something is there, and needs no lock for that.
        $begin = fn(): array => array_map($connection->exec(...), $this->dialect->beginSnapshot());

        return $this->alone($connection, $begin, fn(): mixed => $this->unclear($run));
    }

    /**
     * Gives a statement a transaction of its own.
     *
     * @template T
     *
     * @param Closure(): mixed $begin
     * @param Closure(): T     $run
     *
     * @return T
     */
    private function alone(TrackedConnection $connection, Closure $begin, Closure $run): mixed
    {
        $begin();
        try {
            $made = $run();
            $connection->commit();

            return $made;
        } catch (Throwable $exception) {
            if ($this->state->open) {
                $connection->takeBack();
            }
            throw $exception;
        }
    }

    /**
     * Runs a statement that writes no rows, and may change what others do.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function unclear(Closure $run): mixed
    {
        $this->state->wrote = $this->state->alters = true;
        try {
            return $this->transaction->guarded($run);
        } finally {
            $this->effects->forget();
            $this->state->knowsSchema = false;
        }
    }
}
