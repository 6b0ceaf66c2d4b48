<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Exception\NoTransaction;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Schema;
use Larder\Sql\Schema\SideEffects;
use PDOException;
use PDOStatement;
use Throwable;

/** @internal Of SQLite, where one transaction writes at a time, and does not say by itself whether it is still open. */
final readonly class OneWriterRunner implements StatementRunner
{
    private Dialect $dialect;

    private SideEffects $effects;

    public function __construct(
        private TransactionState $state,
        private Transaction $transaction,
        private OwnStatements $own,
        private Schema $schema,
        private Writes $writes,
    ) {
        $this->dialect = $own->dialect();
        $this->effects = $writes->effects;
    }

    public function run(
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        if (!$this->state->open) {
            $this->schema->begin();
        }
        try {
            return $this->ran($parsed, $run, $statement);
        } finally {
            match ($parsed->verb) {
                'insert', 'update', 'delete', 'replace' => null,
                'begin', 'start', 'commit', 'end', 'rollback', 'savepoint', 'release' => $this->schema->look(),
                default => $this->schema->altered(),
            };
        }
    }

    /**
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function ran(Statement $parsed, Closure $run, ?RunningStatement $statement): mixed
    {
        if ($parsed->writes !== []) {
            return $this->state->open
                ? $this->written($parsed, $run, $statement)
                : $this->autocommitted($parsed, $run, $statement);
        }

        return match ($parsed->verb) {
            'begin', 'start' => $this->begin($run),
            'commit', 'end' => $this->transaction->end(true, $run),
            'rollback' => $this->transaction->end(false, $run),
            'rollback to' => $this->transaction->guarded($run),
            'savepoint' => $this->state->open ? $this->unclear($run) : $this->begin($run),
            'release' => $this->release($run),
            'create', 'drop' => $this->altered($run),
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
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        $this->state->wrote = true;
        $this->lock($parsed);
        $change = new OneWriterChange($this->writes, $parsed);
        if ($this->state->locked && $change->needsSchema()) {
            $this->lookAtSchema($parsed);
        }
        $change->before($statement, $this->state->knowsSchema);
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
                $change->note($affected, $this->own->insertedId(), $failure);
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
            $this->own->send($this->dialect->lock($this->dialect->quote($table->name)));
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
        $isDeclared = fn(string $table): bool => $this->writes->registry->find($table) !== null;
        if ($tables === [] || ($returns && array_filter($tables, $isDeclared) === [])) {
            return $run();
        }
        if ($returns) {
            throw NoTransaction::toReturnRows();
        }
        $this->transaction->begin();
        $failure = $made = null;
        try {
            try {
                $made = $this->written($parsed, $run, $statement);
            } catch (PDOException $failure) {
                // What INSERT OR FAIL leaves stays without a transaction too. Nothing stays at another failure.
                if (!$this->state->open || !$this->dialect->isConstraint($failure)) {
                    throw $failure;
                }
            }
            $this->transaction->commit();
        } catch (Throwable $exception) {
            if ($this->state->open) {
                $this->transaction->takeBack();
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
    private function release(Closure $run): mixed
    {
        if ($this->state->open && !$this->state->within) {
            $this->transaction->tell();
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
    private function altered(Closure $run): mixed
    {
        if (!$this->state->open) {
            $this->effects->refresh();
        }
        if ($this->state->open || !$this->effects->hasLedger()) {
            return $this->unclear($run);
        }

        // Often it only looks whether something is there, and needs no lock for that.
        return $this->alone(fn(): mixed => $this->unclear($run));
    }

    /**
     * Gives a statement a transaction of its own.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function alone(Closure $run): mixed
    {
        $this->transaction->begin(false);
        try {
            $made = $run();
            $this->transaction->commit();

            return $made;
        } catch (Throwable $exception) {
            if ($this->state->open) {
                $this->transaction->takeBack();
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
