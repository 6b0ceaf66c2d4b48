<?php

declare(strict_types=1);

namespace Larder\Dependency\Tracker;

use Closure;
use Larder\Dependency\Change;
use Larder\Dependency\Database\Dialect;
use Larder\Dependency\Database\SideEffects;
use Larder\Dependency\Database\TableFacts;
use Larder\Dependency\Dependency;
use Larder\Dependency\Registry;
use Larder\Dependency\TrackedConnection;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\NoTransaction;
use Larder\Exception\UnfinishedWrite;
use Larder\Metrics\SparingLogger;
use PDOException;
use PDOStatement;
use Psr\Log\LoggerInterface;
use Throwable;

/**
 * @internal The transaction of a connection, open or not: what runs in it, and what is made known before it ends.
 *
 * It gets the connection with each call, since one that were kept would keep the connection open.
 */
final class Transaction
{
    /** Errors of MariaDB that end no transaction: of the text, of a name, of a value, of a constraint. */
    private const HARMLESS = [
        1022, 1048, 1050, 1051, 1054, 1062, 1064, 1091, 1146, 1169, 1216, 1217, 1264, 1265, 1292, 1364, 1365, 1366,
        1406, 1451, 1452, 1586, 1690, 4025,
    ];

    private bool $open = false;

    /** Whether the server has ended the transaction at an error, and the application does not know of it yet. */
    private bool $isLost = false;

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

    /** @var list<Closure(): void> what is to be done after COMMIT */
    private array $afterwards = [];

    /** @var array<string, true> what was logged */
    private array $said = [];

    /** @var (Closure(list<string>|null, Closure(): mixed): mixed)|null */
    private ?Closure $gate = null;

    /** Whether a server ends the transaction whatever comes, since a statement in it failed. */
    private bool $failed = false;

    /** Whether a server begins a transaction by the next statement. */
    private bool $isImplicit = false;

    /**
     * @param Closure(string): mixed $exec runs a statement that is not looked at
     * @param TableFacts|null        $facts of a server, where rows are locked one by one; null: one writer at a time
     * @param (Closure(): bool)|null $state whether a transaction is open, as the server said last
     */
    public function __construct(
        private readonly Registry $registry,
        private readonly Dialect $dialect,
        private readonly SideEffects $effects,
        private readonly Writes $writes,
        private readonly ?LoggerInterface $logger,
        private readonly Closure $exec,
        private readonly ?TableFacts $facts = null,
        private readonly ?Closure $state = null,
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
     * @param Closure(list<string>|null, Closure(): mixed): mixed $gate runs a closure that commits by itself, and lets
     *     nobody store meanwhile what is made from these tables; null: from any
     */
    public function gateBy(Closure $gate): void
    {
        $this->gate = $gate;
    }

    /** Whether the server has ended the transaction at an error, and the application has not ended it since. */
    public function isLost(): bool
    {
        return $this->isLost;
    }

    /** Whether the server lets no statement run before ROLLBACK. */
    public function hasFailed(): bool
    {
        return $this->failed;
    }

    /** Whether a server begins a transaction by itself with the next statement, as autocommit = 0 says. */
    public function beginsByItself(bool $isImplicit): void
    {
        $this->isImplicit = $isImplicit;
    }

    /** The plan of what the schema lets statements write to is out of date. */
    public function isOutdated(): void
    {
        $this->effects->forget();
        $this->facts?->forget();
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
     * @param RunningStatement|null $statement that $run executes; null: $run returns one, or the number of affected
     *     rows
     *
     * @return T
     *
     * @throws NoTransaction
     * @throws LedgerUnavailable after a rollback
     */
    public function run(
        TrackedConnection $connection,
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        if ($this->facts !== null) {
            return $this->onServer($connection, $parsed, $run, $statement);
        }
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
            $made = $run();
            $this->follow();

            return $made;
        } catch (PDOException $exception) {
            $this->failedBy($exception);
            throw $exception;
        }
    }

    /** A statement failed: the database may have rolled the transaction back. */
    public function failedBy(PDOException $exception): void
    {
        $this->failed = $this->hasFailedBy($exception);
        $this->lookAfter($exception);
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
    public function end(TrackedConnection $connection, bool $commits, Closure $run): mixed
    {
        if (!$this->open) {
            $this->isLost = false;

            return $run();
        }
        if ($commits && $this->within) {
            throw NoTransaction::isNotYours();
        }
        if ($commits && !$this->failed) {
            $this->tell($connection);
        }
        // PostgreSQL makes a ROLLBACK of the COMMIT of a transaction that has failed.
        $afterwards = $commits && !$this->failed ? $this->afterwards : [];
        $made = $this->guarded($run);
        $this->over();
        foreach ($afterwards as $do) {
            $do();
        }
        // AND CHAIN begins another one.
        $this->follow();

        return $made;
    }

    /** @param Closure(): void $do runs after COMMIT, and does not throw */
    public function afterwards(Closure $do): void
    {
        $this->afterwards[] = $do;
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
    private function written(
        TrackedConnection $connection,
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
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
                $this->writes->note($parsed, $images, $affected, $connection->insertedId(), $failure);
            }
        }
    }

    /**
     * Runs a statement that is no SELECT on a server, which says afterwards whether a transaction is open.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function onServer(
        TrackedConnection $connection,
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        $isMariaDb = $this->dialect->driver() === 'mysql';
        if (!$this->open && $this->isImplicit && $parsed->writes !== []) {
            $this->open = true;
        }

        return match ($parsed->verb) {
            'commit' => $this->end($connection, true, $run),
            'rollback' => $this->end($connection, false, $run),
            'rollback to' => $this->returned($run),
            'savepoint' => $this->guarded($run),
            'release' => $this->guarded($run),
            'begin' => $isMariaDb ? $this->ending($connection, $run) : $this->guarded($run),
            'autocommit', 'ends' => $isMariaDb ? $this->ending($connection, $run) : $this->guarded($run),
            'temporary' => $this->hidden($connection, $parsed, $run, $statement),
            'two phases' => throw NoTransaction::inTwoPhases($isMariaDb ? 'xa' : 'prepare transaction'),
            'lock tables' => $this->lockedTables($connection, $run),
            '', 'gate' => $isMariaDb
                ? $this->gated($parsed, $run)
                : $this->unknown($connection, $parsed, $run, $statement),
            default => $this->unknown($connection, $parsed, $run, $statement),
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
        TrackedConnection $connection,
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        if ($parsed->writes === [] || $this->failed) {
            return $this->guarded($run);
        }
        $this->plan();
        if (!$this->effects->hasLedger() || $this->writes->areNone($parsed)) {
            $this->wrote = $this->wrote || ($this->open && !$this->writes->areNone($parsed));

            return $this->guarded($run);
        }

        return $this->open
            ? $this->noted($connection, $parsed, $run, $statement)
            : $this->noteAlone($connection, $parsed, $run, $statement);
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
        TrackedConnection $connection,
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        if ($this->within) {
            throw NoTransaction::isOver();
        }
        if (self::returns($parsed) && $connection->isUnbuffered()) {
            throw NoTransaction::toReturnRows();
        }
        for ($tries = 1;; --$tries) {
            ($this->exec)($this->dialect->begin());
            $this->over();
            $this->open = true;
            try {
                $made = $this->noted($connection, $parsed, $run, $statement, $tries);
            } catch (StalePlan) {
                // Nothing of the statement has run.
                ($this->exec)('ROLLBACK');
                $this->over();
                $this->isOutdated();
                $this->plan();

                continue;
            } catch (Throwable $exception) {
                if ($this->isOpen()) {
                    ($this->exec)('ROLLBACK');
                }
                $this->over();
                throw $exception;
            }
            $this->commit($connection);

            return $made;
        }
    }

    /** @throws LedgerUnavailable after a rollback */
    private function commit(TrackedConnection $connection): void
    {
        try {
            $this->tell($connection);
            $afterwards = $this->afterwards;
            ($this->exec)('COMMIT');
        } catch (Throwable $exception) {
            $this->follow();
            if ($this->open) {
                ($this->exec)('ROLLBACK');
            }
            throw $exception;
        } finally {
            $this->over();
            $this->follow();
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
        TrackedConnection $connection,
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
        ?int $tries = null,
    ): mixed {
        $this->wrote = true;
        try {
            $images = $tries === 0
                ? 'its rows could not be read'
                : $this->writes->before($parsed, $statement, true, $tries === null);
        } catch (PDOException $exception) {
            if ($tries !== null && !$this->dialect->isBusy($exception)) {
                throw new StalePlan('', 0, $exception);
            }
            $this->failedBy($exception);
            throw $exception;
        }
        $affected = null;
        $failure = null;
        $inserted = '';
        try {
            $made = $this->guarded($run);
            $affected = match (true) {
                $statement !== null => $statement->rowCount(),
                $made instanceof PDOStatement => $made->rowCount(),
                // PDO's exec() does not count the rows that PostgreSQL returns.
                \is_int($made) && !self::returns($parsed) => $made,
                default => null,
            };
            // PDO asks PostgreSQL by a query, which fails where no sequence was used.
            $inserted = $this->dialect->driver() === 'mysql' ? $connection->insertedId() : '';

            return $made;
        } catch (Throwable $failure) {
            throw $failure;
        } finally {
            if ($this->open && !$this->failed) {
                $this->writes->note($parsed, $images, $affected, $inserted, $failure);
                if ($parsed->writes === null && $failure === null) {
                    $this->alters = true;
                    $this->isOutdated();
                }
            }
        }
    }

    /**
     * Runs what commits what is open, and changes no rows: BEGIN, FLUSH, SET autocommit = 1, the driver's own way.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     *
     * @throws LedgerUnavailable after a rollback
     */
    public function ending(TrackedConnection $connection, Closure $run): mixed
    {
        if ($this->within) {
            throw $this->open ? NoTransaction::isNotYours() : NoTransaction::isOver();
        }
        if ($this->open && !$this->failed) {
            $this->tell($connection);
        }
        $afterwards = $this->afterwards;
        $made = $this->guarded($run);
        $this->over();
        foreach ($afterwards as $do) {
            $do();
        }
        $this->follow();

        return $made;
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
        if ($this->within) {
            throw $this->open ? NoTransaction::isNotYours() : NoTransaction::isOver();
        }
        $this->plan();
        $gate = $this->effects->hasLedger() ? $this->gate : null;
        if ($gate === null && $this->effects->hasLedger()) {
            throw LedgerUnavailable::unknownTo('any table');
        }
        // What the transaction wrote before is committed with it.
        $tables = $parsed->writes === null || $this->wrote ? null : array_column($parsed->writes, 'table');
        $made = null;
        $open = $this->open;
        $failed = false;
        try {
            $run = fn(): mixed => $this->guarded($run);
            $made = $gate === null ? $run() : $gate($tables, $run);
        } catch (PDOException $exception) {
            $failed = true;
            try {
                // Its answer does not say whether a transaction is open.
                ($this->exec)('DO 0');
            } catch (PDOException) {
                // The connection is lost.
            }
            throw $exception;
        } finally {
            $this->isOutdated();
            if (($this->state)?->__invoke() === true) {
                // A procedure may leave one open.
                $this->open = $this->wrote = true;
                $this->writes->all();
            } elseif ($open) {
                $this->over();
                // It committed before it failed, and the driver has not heard of it.
                $this->isLost = $failed;
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
    private function lockedTables(TrackedConnection $connection, Closure $run): mixed
    {
        $this->plan();
        if ($this->effects->hasLedger()) {
            throw NoTransaction::underTableLocks();
        }

        return $this->ending($connection, $run);
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
        TrackedConnection $connection,
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        foreach ($parsed->writes ?? [] as $write) {
            $this->writes->hide($write->table);
        }
        $calls = array_filter($parsed->writes ?? [], static fn(Write $write): bool => $write->calls);

        return $calls === []
            ? $this->guarded($run)
            : $this->unknown($connection, $parsed, $run, $statement);
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
        $made = $this->guarded($run);
        // The names stay. Rows that were locked behind the savepoint are not changed any more.
        $this->failed = false;

        return $made;
    }

    private function plan(): void
    {
        // It asks nobody while the schema's version is the same: else its tables could be new and their effects old.
        $this->effects->refresh();
    }

    /** Takes over what the server says of the transaction. */
    public function follow(): void
    {
        if ($this->state === null) {
            return;
        }
        $isOpen = ($this->state)();
        if ($isOpen !== $this->open) {
            $this->over();
            $this->open = $isOpen;
        }
    }

    private static function returns(Statement $parsed): bool
    {
        return array_filter($parsed->writes ?? [], static fn(Write $write): bool => $write->returns) !== [];
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
        TrackedConnection $connection,
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed {
        if ($this->within) {
            throw NoTransaction::isOver();
        }
        $returns = self::returns($parsed);
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
    private function release(TrackedConnection $connection, Closure $run): mixed
    {
        if ($this->open && !$this->within) {
            $this->tell($connection);
        }
        $afterwards = $this->afterwards;
        $made = $this->unclear($run);
        $this->look();
        foreach ($this->open ? [] : $afterwards as $do) {
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
    private function alone(TrackedConnection $connection, Closure $begin, Closure $run): mixed
    {
        $begin();
        try {
            $made = $run();
            $connection->commit();

            return $made;
        } catch (Throwable $exception) {
            if ($this->open) {
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
        $this->wrote = $this->alters = true;
        try {
            return $this->guarded($run);
        } finally {
            $this->effects->forget();
            $this->knowsSchema = false;
        }
    }

    /** Whether PostgreSQL runs nothing more before ROLLBACK. The driver has errors of its own, which end nothing. */
    private function hasFailedBy(PDOException $exception): bool
    {
        if (!$this->open || $this->dialect->driver() !== 'pgsql') {
            return false;
        }
        $state = $exception->errorInfo[0] ?? null;
        $isOfServer = \is_string($state) && preg_match('/^(?!HY|IM)/', $state) === 1;
        if ($isOfServer && isset($exception->errorInfo[1])) {
            return true;
        }
        try {
            ($this->exec)('SELECT 1');

            return false;
        } catch (PDOException) {
            return true;
        }
    }

    /** MariaDB's answer of an error does not say whether the transaction is still open: that of the next one does. */
    private function lookAfter(PDOException $exception): void
    {
        $isOpen = $this->open;
        if ($isOpen && $this->dialect->driver() === 'mysql'
            && !\in_array($exception->errorInfo[1] ?? null, self::HARMLESS, true)) {
            try {
                ($this->exec)('DO 0');
            } catch (PDOException) {
                // The connection is lost, and the transaction with it, whatever the driver remembers.
                $this->over();
                $this->isLost = true;

                return;
            }
        }
        $this->look();
        $this->isLost = $isOpen && !$this->open;
    }

    /** Looks whether it is still open: no other one can begin inside it. */
    private function look(): void
    {
        if ($this->state !== null) {
            $this->follow();

            return;
        }
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
        $this->open = $this->wrote = $this->locked = $this->alters = $this->knowsSchema = $this->failed = false;
        $this->afterwards = [];
        $this->isLost = false;
        $this->writes->reset();
    }

    /** Makes known, right before COMMIT, what was written. */
    private function tell(TrackedConnection $connection): void
    {
        if ($this->facts !== null && $this->wrote) {
            $this->plan();
            $this->runDeferred();
        }
        $names = array_values($this->writes->names());
        $isAll = $this->writes->isAll();
        $isNothing = $names === [] && !$isAll && !$this->writes->areUndeclared() && !$this->alters;
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
        } elseif ($names !== [] || $isAll) {
            $connection->takeBack();
            throw LedgerUnavailable::unknownTo(
                $isAll ? 'any table' : implode(', ', array_unique(array_column($names, 'table'))),
            );
        }
    }

    /** What COMMIT would run of triggers, or refuse by a constraint, is run before it: what it locks comes first. */
    private function runDeferred(): void
    {
        if ($this->dialect->driver() !== 'pgsql' || $this->facts?->areDeferred() !== true) {
            return;
        }
        try {
            ($this->exec)('SET CONSTRAINTS ALL IMMEDIATE');
        } catch (PDOException $exception) {
            ($this->exec)('ROLLBACK');
            $this->over();
            throw $exception;
        }
    }
}
