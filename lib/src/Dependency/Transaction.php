<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\NoTransaction;
use Larder\Exception\UnfinishedWrite;
use Larder\Metrics\SparingLogger;
use PDO;
use PDOException;
use PDOStatement;
use Psr\Log\LoggerInterface;
use Throwable;

/**
 * @internal The transaction of a RecordingPdo, open or not: what runs in it, and what is made known before it ends.
 *
 * It gets the connection with each call, since one that were kept would keep the connection open.
 */
final class Transaction
{
    private bool $open = false;

    private bool $wrote = false;

    /** Whether the closure of a transaction runs, which must not commit it. */
    private bool $within = false;

    /** Whether it has the write lock for certain. */
    private bool $locked = false;

    /** Whether a statement ran in it that may have changed the schema. */
    private bool $alters = false;

    /** Whether it has looked what the schema lets a statement write to. */
    private bool $knowsSchema = false;

    /** @var (Closure(list<Dependency>): void)|null makes changes known */
    private ?Closure $announce = null;

    /** @var array<string, true> what was logged */
    private array $said = [];

    /** @param Closure(string): mixed $exec runs a statement that is not looked at */
    public function __construct(
        private readonly Registry $registry,
        private readonly Dialect $dialect,
        private readonly SideEffects $effects,
        private readonly Writes $writes,
        private readonly ?LoggerInterface $logger,
        private readonly Closure $exec,
    ) {}

    public function isOpen(): bool
    {
        return $this->open;
    }

    /** Whether it is open, and a statement ran in it that may be no SELECT. */
    public function wrote(): bool
    {
        return $this->open && $this->wrote;
    }

    /** @param Closure(list<Dependency>): void $announce throws LedgerUnavailable after a rollback */
    public function announceBy(Closure $announce): void
    {
        $this->announce = $announce;
    }

    /**
     * Runs a writer's closure, which must not end the transaction.
     *
     * @template T
     *
     * @param Closure(): T $write
     *
     * @return T
     *
     * @throws NoTransaction   if it is over all the same
     * @throws UnfinishedWrite if $write returns a Generator
     */
    public function within(Closure $write): mixed
    {
        $this->within = true;
        try {
            $made = $write();
        } finally {
            $this->within = false;
        }
        UnfinishedWrite::check($made);

        return $this->open ? $made : throw NoTransaction::isOver();
    }

    /**
     * Runs a statement that is no SELECT.
     *
     * @template T
     *
     * @param Closure(): T            $run
     * @param RecordingStatement|null $statement that $run executes; null: $run returns one, or the number of affected
     *     rows
     *
     * @return T
     *
     * @throws NoTransaction
     * @throws LedgerUnavailable after a rollback
     */
    public function run(PDO $connection, Statement $parsed, Closure $run, ?RecordingStatement $statement): mixed
    {
        if ($parsed->writes !== []) {
            return $this->open
                ? $this->written($connection, $parsed, $run, $statement)
                : $this->autocommitted($connection, $parsed, $run, $statement);
        }

        return match ($parsed->verb) {
            'begin', 'start' => $this->begin($run),
            'commit', 'end' => $this->end($connection, true, $run),
            'rollback' => $this->end($connection, false, $run),
            'rollback to' => $this->guarded($run),
            'savepoint' => $this->open ? $this->unclear($run) : $this->begin($run),
            'release' => $this->release($connection, $run),
            'create', 'drop' => $this->altered($connection, $run),
            default => $this->unclear($run),
        };
    }

    /**
     * Runs a statement. If it fails, the database may have rolled the transaction back.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    public function guarded(Closure $run): mixed
    {
        try {
            return $run();
        } catch (PDOException $exception) {
            $this->look();
            throw $exception;
        }
    }

    /**
     * Runs COMMIT or ROLLBACK.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     *
     * @throws NoTransaction     inside the closure of a transaction
     * @throws LedgerUnavailable after a rollback
     */
    public function end(PDO $connection, bool $commits, Closure $run): mixed
    {
        if (!$this->open) {
            return $run();
        }
        if ($commits && $this->within) {
            throw NoTransaction::isNotYours();
        }
        if ($commits) {
            $this->tell($connection);
        }
        $made = $this->guarded($run);
        $this->over();

        return $made;
    }

    /** For a transaction whose first statement has taken the write lock. */
    public function hasLock(): void
    {
        $this->locked = $this->open;
    }

    /**
     * Logs that changes could not be followed row by row, once for each table and cause.
     *
     * @param array<string, string> $causes by the table's name
     */
    public function say(array $causes): void
    {
        foreach ($causes as $table => $cause) {
            $kind = \sprintf('bulk change of %s: %s', $table, $cause);
            if (isset($this->said[$kind])) {
                continue;
            }
            $this->said[$kind] = true;
            ($this->logger ?? new SparingLogger())->warning(
                'Every page and value made from {table} was dropped, since its changes could not be followed row by '
                    . 'row: {why}. A plain INSERT, UPDATE or DELETE of this table can be followed; Change::name() with '
                    . 'trust names what another one changes, and Change::bulk() says that all is meant.',
                ['table' => $table, 'why' => $cause, 'cause' => $kind],
            );
        }
    }

    /**
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function written(PDO $connection, Statement $parsed, Closure $run, ?RecordingStatement $statement): mixed
    {
        $this->wrote = true;
        $this->lock($parsed);
        if ($this->locked && $this->writes->needsSchema($parsed)) {
            $this->lookAtSchema($parsed);
        }
        $images = $this->writes->before($parsed, $statement, $this->knowsSchema);
        $affected = null;
        $failure = null;
        try {
            $made = $this->guarded($run);
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
            if ($this->open) {
                $this->locked = $this->locked || $failure === null;
                $this->lookAtSchema($parsed);
                $this->writes->note($parsed, $images, $affected, (string) $connection->lastInsertId(), $failure);
            }
        }
    }

    /**
     * Takes the write lock before anything is read for a statement. A transaction that has read before it has the lock
     * would have to give up when another one writes in between, where the statement alone would only wait.
     */
    private function lock(Statement $parsed): void
    {
        $table = $this->locked ? null : $this->writes->followed($parsed);
        if ($table === null) {
            return;
        }
        try {
            ($this->exec)($this->dialect->lock($this->dialect->quote($table->name)));
            $this->locked = true;
        } catch (PDOException $exception) {
            if ($this->dialect->isBusy($exception)) {
                $this->look();
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
        if ($isSchema || !$this->knowsSchema) {
            $this->effects->refresh();
            $this->knowsSchema = true;
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
        PDO $connection,
        Statement $parsed,
        Closure $run,
        ?RecordingStatement $statement,
    ): mixed {
        if ($this->within) {
            throw NoTransaction::isOver();
        }
        $returns = array_filter($parsed->writes ?? [], static fn(Write $write): bool => $write->returns) !== [];
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
                if (!$this->open || !$this->dialect->isConstraint($failure)) {
                    throw $failure;
                }
            }
            $connection->commit();
        } catch (Throwable $exception) {
            if ($this->open) {
                $connection->rollBack();
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
        if ($this->within && !$this->open) {
            throw NoTransaction::isOver();
        }
        $made = $run();
        $this->over();
        $this->open = true;

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
    private function release(PDO $connection, Closure $run): mixed
    {
        if ($this->open && !$this->within) {
            $this->tell($connection);
        }
        $made = $this->unclear($run);
        $this->look();

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
    private function altered(PDO $connection, Closure $run): mixed
    {
        if (!$this->open) {
            $this->effects->refresh();
        }
        if ($this->open || !$this->effects->hasLedger()) {
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
    private function alone(PDO $connection, Closure $begin, Closure $run): mixed
    {
        $begin();
        try {
            $made = $run();
            $connection->commit();

            return $made;
        } catch (Throwable $exception) {
            if ($this->open) {
                $connection->rollBack();
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
        $this->wrote = $this->alters = true;
        try {
            return $this->guarded($run);
        } finally {
            $this->effects->forget();
            $this->knowsSchema = false;
        }
    }

    /** Looks whether it is still open: no other one can begin inside it. */
    private function look(): void
    {
        if (!$this->open) {
            return;
        }
        try {
            array_map($this->exec, $this->dialect->beginSnapshot());
            ($this->exec)('ROLLBACK');
        } catch (PDOException $exception) {
            if ($this->dialect->isNested($exception)) {
                return;
            }
        }
        $this->over();
    }

    private function over(): void
    {
        $this->open = $this->wrote = $this->locked = $this->alters = $this->knowsSchema = false;
        $this->writes->reset();
    }

    /** Makes known, right before COMMIT, what was written. */
    private function tell(PDO $connection): void
    {
        $names = array_values($this->writes->names());
        $isNothing = $names === [] && !$this->writes->areUndeclared() && !$this->alters;
        if ($this->alters) {
            $this->effects->refresh();
        }
        if ($isNothing || !$this->effects->hasLedger()) {
            return;
        }
        $announce = $this->announce;
        if ($announce !== null) {
            $this->say($this->writes->causes());
            $announce($names);
        } elseif ($names !== []) {
            $connection->rollBack();
            throw LedgerUnavailable::unknownTo(implode(', ', array_unique(array_column($names, 'table'))));
        }
    }
}
