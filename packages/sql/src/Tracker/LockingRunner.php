<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Exception\NoTransaction;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Reading\Write;
use Larder\Sql\Schema\LockingDialect;
use Larder\Sql\Schema\Schema;
use Larder\Sql\Schema\SideEffects;
use Larder\Sql\Schema\TableFacts;
use PDOException;
use PDOStatement;
use Throwable;

/** @internal Of MariaDB and PostgreSQL, which say after each statement whether a transaction is open. */
final readonly class LockingRunner implements StatementRunner
{
    private SideEffects $effects;

    /**
     * @param Closure(string, array<int, scalar|null>): list<array<string, scalar|null>> $committed of LockingChange
     */
    public function __construct(
        private TransactionState $state,
        private Transaction $transaction,
        private OwnStatements $own,
        private LockingDialect $dialect,
        private Schema $schema,
        private Writes $writes,
        private TableFacts $facts,
        private Closure $committed,
    ) {
        $this->effects = $writes->effects;
    }

    public function run(
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        if (!$this->own->mayEndUnseen()) {
            return $this->settled($parsed, $run, $statement);
        }
        if ($parsed->writes !== []) {
            $this->transaction->isOpenNow();
        }
        try {
            return $this->settled($parsed, $run, $statement);
        } finally {
            if ($this->state->open && !$this->state->within) {
                // Nothing of Larder's may run after it.
                $this->transaction->tell();
            }
        }
    }

    /**
     * Runs a statement, and notes what it leaves to be asked for.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function settled(Statement $parsed, Closure $run, ?RunningStatement $statement): mixed
    {
        $verb = $parsed->verb;
        if (!$this->state->open) {
            $this->schema->begin();
            if ($verb === 'begin') {
                // The plan that this process has is kept, if it still is that of the database.
                $this->schema->expire();
            }
        }
        try {
            return $this->ran($parsed, $run, $statement);
        } finally {
            $isEnd = \in_array($verb, ['commit', 'rollback', 'rollback to'], true);
            if (\in_array($verb, ['session', 'autocommit', 'temporary', 'gate', 'schema', 'select', ''], true)) {
                $this->state->isAsked = false;
                $this->state->isUnsettled = true;
            } elseif ($isEnd && $this->state->isUnsettled) {
                $this->state->isAsked = false;
                $this->state->isUnsettled = $this->state->open;
            }
            if (\in_array($verb, ['gate', 'schema', ''], true) && $parsed->writes !== []) {
                $this->schema->altered();
            }
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
        $commits = $this->dialect->commitsByItself();
        if (!$this->state->open && $this->state->isImplicit && $parsed->writes !== []) {
            $this->state->open = $this->state->isImplicit = $this->own->beginsByItself();
        }

        return match ($parsed->verb) {
            'commit' => $this->transaction->end(true, $run),
            'rollback' => $this->transaction->end(false, $run),
            'rollback to' => $this->returned($run),
            'savepoint', 'release' => $this->transaction->guarded($run),
            'begin', 'autocommit', 'ends' => $commits
                ? $this->transaction->ending($run)
                : $this->transaction->guarded($run),
            'temporary' => $this->hidden($parsed, $run, $statement),
            'two phases' => throw NoTransaction::inTwoPhases($this->dialect->twoPhases()),
            'lock tables' => $this->lockedTables($run),
            '', 'gate' => $commits
                ? $this->gated($parsed, $run)
                : $this->unknown($parsed, $run, $statement),
            default => $this->unknown($parsed, $run, $statement),
        };
    }

    /**
     * Runs a statement that writes, or may.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function unknown(
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        if ($parsed->writes === [] || $this->state->failed) {
            return $this->transaction->guarded($run);
        }
        $this->plan();
        $change = new LockingChange($this->writes, $this->dialect, $this->facts, $this->committed, $parsed);
        if (!$this->effects->hasLedger() || $change->areNone()) {
            $this->state->wrote = $this->state->wrote || ($this->state->open && !$change->areNone());

            return $this->transaction->guarded($run, $parsed->writes === null);
        }

        return $this->state->open
            ? $this->noted($parsed, $change, $run, $statement)
            : $this->noteAlone($parsed, $change, $run, $statement);
    }

    /**
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     *
     * @throws LedgerUnavailable after a rollback
     */
    private function noteAlone(
        Statement $parsed,
        LockingChange $change,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        if ($this->state->within) {
            throw NoTransaction::isOver();
        }
        if ($parsed->returnsRows() && $this->own->isUnbuffered()) {
            throw NoTransaction::toReturnRows();
        }
        for ($tries = 1;; --$tries) {
            $this->own->begin();
            $this->transaction->over();
            $this->state->open = true;
            try {
                $made = $this->noted($parsed, $change, $run, $statement, $tries);
            } catch (StalePlan) {
                // Nothing of the statement has run.
                $this->own->send('ROLLBACK');
                $this->transaction->over();
                $this->transaction->isOutdated();
                $this->plan();

                continue;
            } catch (Throwable $exception) {
                if ($this->transaction->isOpen()) {
                    $this->own->send('ROLLBACK');
                }
                $this->transaction->over();
                throw $exception;
            }
            $this->commit();

            return $made;
        }
    }

    /** @throws LedgerUnavailable after a rollback */
    private function commit(): void
    {
        try {
            $this->transaction->tell();
            $afterwards = $this->state->afterwards;
            $this->own->send('COMMIT');
        } catch (Throwable $exception) {
            $this->transaction->follow();
            if ($this->state->open) {
                $this->own->send('ROLLBACK');
            }
            throw $exception;
        } finally {
            $this->transaction->over();
            $this->transaction->follow();
        }
        foreach ($afterwards as $do) {
            $do();
        }
    }

    /**
     * Runs a statement that writes, inside a transaction.
     *
     * @template T
     *
     * @param Closure(): T $run
     * @param int|null     $tries how often it can begin anew, the last time without images; null: it cannot
     *
     * @return T
     *
     * @throws StalePlan if the rows that it is going to change could not be read, and it can begin anew
     */
    private function noted(
        Statement $parsed,
        LockingChange $change,
        Closure $run,
        ?RunningStatement $statement,
        ?int $tries = null,
    ): mixed {
        $this->own->mustAnswer();
        $this->state->wrote = true;
        try {
            $tries === 0 ? $change->leaveUnread() : $change->before($statement, $tries === null);
        } catch (PDOException $exception) {
            if ($tries !== null && !$this->dialect->isBusy($exception)) {
                throw new StalePlan('', 0, $exception);
            }
            $this->transaction->failedBy($exception);
            throw $exception;
        }
        $affected = null;
        $failure = null;
        $inserted = '';
        try {
            $made = $this->transaction->guarded($run);
            $affected = match (true) {
                $statement !== null => $statement->rowCount(),
                $made instanceof PDOStatement => $made->rowCount(),
                // PDO's exec() does not count the rows that PostgreSQL returns.
                \is_int($made) && !$parsed->returnsRows() => $made,
                default => null,
            };
            $inserted = $this->dialect->hasLastNumber() ? $this->own->insertedId() : '';

            return $made;
        } catch (Throwable $failure) {
            throw $failure;
        } finally {
            if ($this->state->open && !$this->state->failed) {
                $change->note($affected, $inserted, $failure);
                if ($parsed->writes === null && $failure === null) {
                    $this->state->alters = true;
                    $this->transaction->isOutdated();
                }
            }
        }
    }

    /**
     * Runs a statement of MariaDB that commits by itself, or may: nobody stores meanwhile.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function gated(Statement $parsed, Closure $run): mixed
    {
        if ($this->state->within) {
            throw $this->state->open ? NoTransaction::isNotYours() : NoTransaction::isOver();
        }
        $this->plan();
        $announcer = $this->effects->hasLedger() ? $this->transaction->announcer() : null;
        if ($announcer === null && $this->effects->hasLedger()) {
            throw LedgerUnavailable::unknownTo('any table');
        }
        // What the transaction wrote before is committed with it.
        $tables = $parsed->writes === null || $this->state->wrote ? null : array_column($parsed->writes, 'table');
        $made = null;
        $open = $this->state->open;
        $failed = false;
        try {
            $run = fn(): mixed => $this->transaction->guarded($run);
            $made = $announcer === null ? $run() : $announcer->gate($tables, $run);
        } catch (PDOException $exception) {
            $failed = true;
            try {
                // Its answer does not say whether a transaction is open.
                $this->own->send('DO 0');
            } catch (PDOException) {
                // The connection is lost.
            }
            throw $exception;
        } finally {
            $this->transaction->isOutdated();
            if ($this->own->isServerInTransaction()) {
                // A procedure may leave one open.
                $this->state->open = $this->state->wrote = true;
                $this->writes->all();
            } elseif ($open) {
                $this->transaction->over();
                // It committed before it failed, and the driver has not heard of it.
                $this->state->isLost = $failed;
            }
        }

        /** @var T $made */
        return $made;
    }

    /**
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function lockedTables(Closure $run): mixed
    {
        $this->plan();
        if ($this->effects->hasLedger()) {
            throw NoTransaction::underTableLocks();
        }

        return $this->transaction->ending($run);
    }

    /**
     * Runs CREATE or DROP of a temporary table, whose name may hide another one from now on.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function hidden(
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        foreach ($parsed->writes ?? [] as $write) {
            $this->state->temporary[$write->table] = true;
        }
        $calls = array_filter($parsed->writes ?? [], static fn(Write $write): bool => $write->calls);

        return $calls === []
            ? $this->transaction->guarded($run)
            : $this->unknown($parsed, $run, $statement);
    }

    /**
     * Runs ROLLBACK TO, after which a transaction that has failed goes on.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function returned(Closure $run): mixed
    {
        $made = $this->transaction->guarded($run);
        // The names stay. Rows that were locked behind the savepoint are not changed any more.
        $this->state->failed = false;

        return $made;
    }

    private function plan(): void
    {
        // It asks nobody while the schema's version is the same: else its tables could be new and their effects old.
        $this->effects->refresh();
    }
}
