<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\Name;
use Larder\Exception\NoTransaction;
use Larder\Exception\UnfinishedWrite;
use Larder\Metrics\SparingLogger;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\LockingDialect;
use Larder\Sql\Schema\Schema;
use Larder\Sql\Schema\TableFacts;
use PDOException;
use Psr\Log\LoggerInterface;
use Throwable;

/**
 * @internal The transaction of a connection, open or not: how it ends, and what is made known before it does. What runs
 * in it is for a StatementRunner.
 */
final class Transaction implements WriterTransaction
{
    private readonly Dialect $dialect;

    /** @var (Closure(): Announcer)|null makes the announcer when it is first needed */
    private ?Closure $make = null;

    private ?Announcer $announcer = null;

    /** @var array<string, true> what was logged */
    private array $said = [];

    /** null: no statement ran that may write */
    private ?Writes $writes = null;

    /** @var array<string, Name> what a closure wrote in transactions that were over before it */
    private array $past = [];

    private ?bool $isTakenBack = null;

    /**
     * @param Closure(): Writes $follow makes what follows the writes, when a statement runs that may be one
     * @param bool            $isTold whether the server says with each answer if one is open
     * @param TableFacts|null $facts  of a server, which knows whether COMMIT may run more
     */
    public function __construct(
        private readonly TransactionState $state,
        private readonly OwnStatements $own,
        private readonly Schema $schema,
        private readonly Closure $follow,
        private readonly ?LoggerInterface $logger,
        private readonly bool $isTold = false,
        private readonly ?TableFacts $facts = null,
    ) {
        $this->dialect = $own->dialect();
    }

    public function isOpen(): bool
    {
        return $this->state->open;
    }

    /** That no other transaction of the connection has. */
    public function number(): int
    {
        return $this->writes()->transaction();
    }

    /** Whether it is open, and a statement ran in it that may be no SELECT. */
    public function wrote(): bool
    {
        return $this->state->open && $this->state->wrote;
    }

    /** @param Closure(): Announcer $make makes the one who makes known what is written, when it is first needed */
    public function announceBy(Closure $make): void
    {
        [$this->make, $this->announcer] = [$make, null];
    }

    /** Null: nobody makes changes known. */
    public function announcer(): ?Announcer
    {
        return $this->announcer ??= $this->make === null ? null : ($this->make)();
    }

    public function writes(): Writes
    {
        return $this->writes ??= ($this->follow)();
    }

    /** Whether the server has ended the transaction at an error, and the application has not ended it since. */
    public function isLost(): bool
    {
        return $this->state->isLost;
    }

    /** Whether the server lets no statement run before ROLLBACK. */
    public function hasFailed(): bool
    {
        return $this->state->failed;
    }

    /** Whether a server begins a transaction by itself with the next statement, as autocommit = 0 says. */
    public function beginsByItself(bool $isImplicit): void
    {
        $this->state->isImplicit = $isImplicit;
    }

    /** The plan of what the schema lets statements write to is out of date. */
    public function isOutdated(): void
    {
        $this->writes()->effects->forget();
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
        $this->state->within = true;
        $this->past = [];
        $this->isTakenBack = null;
        try {
            $made = $write();
        } finally {
            $this->state->within = false;
        }
        UnfinishedWrite::check($made);

        return $this->isOpenNow() ? $made : throw NoTransaction::isOver();
    }

    /**
     * Rolls back what a closure wrote that has failed. Where a function may have committed it, it counts as changed.
     *
     * @param Closure(): mixed $takeBack rolls back
     *
     * @throws LedgerUnavailable if what may be committed could not be made known
     */
    public function takeBackAll(Closure $takeBack): void
    {
        $this->past += $this->writes()->names();
        if (!$this->state->open) {
            if ($this->own->mayEndUnseen() && $this->past !== []) {
                $this->own->send($this->dialect->begin());
                $this->state->open = true;
                $this->announcer()?->announce(array_values($this->past), $this);
                $this->commit();
            }
        } elseif (!$this->isOpenNow()) {
            $this->isTakenBack = false;
        } elseif ($this->own->mayEndUnseen()) {
            $this->own->send('ROLLBACK');
            $this->tellPast();
            $this->isTakenBack = false;
        } else {
            $takeBack();
            // On MariaDB a BEGIN past the connection has committed what stood before it.
            $this->isTakenBack = !$this->state->open && !$this->dialect->choose(
                static fn(): bool => false,
                static fn(LockingDialect $dialect): bool => $dialect->commitsByItself(),
            );
        }
    }

    /**
     * Whether what the last closure wrote was rolled back. False: it is over, and a function may have committed it;
     * null: it was over before, or nobody knows.
     */
    public function isTakenBack(): ?bool
    {
        return $this->isTakenBack;
    }

    /** @return list<Name> what the last closure wrote, also in transactions that were over before it */
    public function past(): array
    {
        return array_values($this->past);
    }

    /**
     * Runs a statement. If it fails, the database may have rolled the transaction back.
     *
     * @template T
     *
     * @param Closure(): T $run
     * @param bool         $mayBegin whether it may have begun a transaction; else that was done past the connection
     *
     * @return T
     */
    public function guarded(Closure $run, bool $mayBegin = true): mixed
    {
        try {
            $made = $run();
            if ($mayBegin || $this->state->open || $this->state->isImplicit) {
                $this->follow();
            }

            return $made;
        } catch (PDOException $exception) {
            $this->failedBy($exception);
            throw $exception;
        }
    }

    /** A statement failed: the database may have rolled the transaction back. */
    public function failedBy(PDOException $exception): void
    {
        $this->state->failed = $this->hasFailedBy($exception);
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
    public function end(bool $commits, Closure $run): mixed
    {
        if (!$this->state->open) {
            $this->state->isLost = false;
            $made = $run();
            // AND CHAIN begins one where none was open, too.
            $this->follow();

            return $made;
        }
        if ($commits && $this->state->within) {
            throw NoTransaction::isNotYours();
        }
        if ($commits && !$this->state->failed) {
            $this->tell();
        }
        // PostgreSQL makes a ROLLBACK of the COMMIT of a transaction that has failed.
        $afterwards = $commits && !$this->state->failed ? $this->state->afterwards : [];
        $made = $this->guarded($run);
        $this->over();
        foreach ($afterwards as $do) {
            $do();
        }
        // AND CHAIN begins another one.
        $this->follow();

        return $made;
    }

    /**
     * Begins one in which Larder puts a statement of the application that would stand alone.
     *
     * @param bool $locks whether it takes the write lock at once
     */
    public function begin(bool $locks = true): void
    {
        $this->own->begin($locks ? null : $this->dialect->beginSnapshot());
        $this->over();
        $this->state->open = true;
        $this->state->locked = $locks;
        $this->schema->look();
    }

    /**
     * @throws NoTransaction     inside the closure of a transaction
     * @throws LedgerUnavailable after a rollback
     */
    public function commit(): void
    {
        $this->close('COMMIT');
    }

    public function takeBack(): void
    {
        $this->close('ROLLBACK');
    }

    private function close(string $sql): void
    {
        try {
            $this->end($sql === 'COMMIT', function () use ($sql): int|false {
                $made = $this->own->send($sql);
                $this->state->inserted = null;

                return $made;
            });
        } finally {
            if (!$this->isTold) {
                $this->schema->look();
            } elseif ($this->state->isUnsettled) {
                $this->state->isAsked = $this->state->isUnsettled = false;
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
    public function ending(Closure $run): mixed
    {
        if ($this->state->within) {
            throw $this->state->open ? NoTransaction::isNotYours() : NoTransaction::isOver();
        }
        if ($this->state->open && !$this->state->failed) {
            $this->tell();
        }
        $afterwards = $this->state->afterwards;
        $made = $this->guarded($run);
        $this->over();
        foreach ($afterwards as $do) {
            $do();
        }
        $this->follow();

        return $made;
    }

    public function hasTold(): bool
    {
        return $this->state->hasTold;
    }

    public function tells(): void
    {
        $this->state->hasTold = true;
    }

    public function afterwards(Closure $do): void
    {
        $this->state->afterwards[] = $do;
    }

    /** For a transaction whose first statement has taken the write lock. */
    public function hasLock(): void
    {
        $this->state->locked = $this->state->open;
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
            $this->logger()->warning(
                'Every page and value made from {table} was dropped, since its changes could not be followed row by '
                    . 'row: {why}. A plain INSERT, UPDATE or DELETE of this table can be followed; Change::name() with '
                    . 'trust names what another one changes, and RowChange::bulk() says that all is meant.',
                ['table' => $table, 'why' => $cause, 'cause' => $kind],
            );
        }
    }

    /** A statement has run that only reads: it begins a transaction only where autocommit = 0 says so. It ends none. */
    public function hasRead(): void
    {
        if (!$this->isTold || (!$this->state->open && !$this->state->isImplicit)) {
            return;
        }
        if ($this->state->open && !$this->own->isServerInTransaction()) {
            $this->endedUnseen();
        } else {
            $this->follow();
        }
    }

    /** Whether it is still open, as the server says: it may have ended past the connection. */
    public function isOpenNow(): bool
    {
        if ($this->state->open && !$this->own->isStillOpen()) {
            $this->endedUnseen();
        }

        return $this->state->open;
    }

    /** The connection is given up. What is still open then is rolled back. */
    public function leave(): void
    {
        try {
            $this->isOpenNow();
        } catch (Throwable $exception) {
            $this->logger()->error(
                'A transaction may have ended past its connection, and what it wrote could not be made known: {why}. '
                    . 'Run larder flush.',
                ['why' => $exception->getMessage(), 'exception' => $exception],
            );
        }
    }

    /** Takes over what the server says of the transaction. */
    public function follow(): void
    {
        if (!$this->isTold) {
            return;
        }
        $isOpen = $this->own->isServerInTransaction();
        if ($isOpen !== $this->state->open) {
            $this->over();
            $this->state->open = $isOpen;
        }
    }

    /** Looks whether it is still open: no other one can begin inside it. */
    public function look(): void
    {
        if ($this->isTold) {
            $this->follow();

            return;
        }
        if (!$this->state->open) {
            return;
        }
        try {
            array_map($this->own->send(...), $this->dialect->beginSnapshot());
            $this->own->send('ROLLBACK');
        } catch (PDOException $exception) {
            if ($this->dialect->isNested($exception)) {
                return;
            }
        }
        $this->over();
    }

    /** No transaction is open any more. */
    public function over(): void
    {
        if ($this->state->within && $this->writes !== null) {
            $this->past += $this->writes->names();
        }
        $this->state->reset();
        $this->writes?->reset();
    }

    /** Makes known, right before COMMIT, what was written. */
    public function tell(): void
    {
        $writes = $this->writes;
        if ($writes === null) {
            return;
        }
        if ($this->isTold && $this->state->wrote) {
            $writes->effects->refresh();
            $this->runDeferred();
        }
        $names = array_values($writes->names());
        $isAll = $writes->isAll();
        $isNothing = $names === [] && !$isAll && !$writes->areUndeclared() && !$this->state->alters;
        if ($this->state->alters) {
            $writes->effects->refresh();
        }
        if ($isNothing || !$writes->effects->hasLedger()) {
            return;
        }
        $announcer = $this->announcer();
        if ($announcer !== null) {
            $this->say($writes->causes());
            $announcer->announce($names, $this);
        } elseif ($names !== [] || $isAll) {
            $this->takeBack();
            throw LedgerUnavailable::unknownTo(
                $isAll ? 'any table' : implode(', ', array_unique(array_column($names, 'table'))),
            );
        }
    }

    /**
     * The server has no transaction where this connection has one. What was written in it counts as changed: it may
     * have been committed.
     *
     * @throws LedgerUnavailable if that could not be made known
     */
    private function endedUnseen(): void
    {
        if (!isset($this->said[''])) {
            $this->said[''] = true;
            $this->logger()->warning(
                'A transaction ended past its connection, by a function such as mysqli_commit(), mysqli_rollback() or '
                    . 'mysqli_query(), or by a method of PDO\'s own. What it wrote counts as changed. Call the methods '
                    . 'of the connection.',
            );
        }
        $this->tellPast();
    }

    /** @throws LedgerUnavailable */
    private function tellPast(): void
    {
        $this->state->failed = false;
        $writes = $this->writes();
        $this->past += $writes->names();
        $isNothing = $writes->names() === [] && !$writes->isAll() && !$writes->areUndeclared();
        if (!$isNothing) {
            $this->own->send($this->dialect->begin());
            $this->tell();
        }
        $afterwards = $this->state->afterwards;
        if (!$isNothing) {
            $this->own->send('COMMIT');
        }
        $this->over();
        foreach ($afterwards as $do) {
            $do();
        }
    }

    private function logger(): LoggerInterface
    {
        return $this->logger ?? new SparingLogger();
    }

    /** Whether PostgreSQL runs nothing more before ROLLBACK. The driver has errors of its own, which end nothing. */
    private function hasFailedBy(PDOException $exception): bool
    {
        if (!$this->state->open || !$this->dialect->failsWhole()) {
            return false;
        }
        $state = $exception->errorInfo[0] ?? null;
        $isOfServer = \is_string($state) && preg_match('/^(?!HY|IM)/', $state) === 1;
        if ($isOfServer && isset($exception->errorInfo[1])) {
            return true;
        }
        try {
            $this->own->send('SELECT 1');

            return false;
        } catch (PDOException) {
            return true;
        }
    }

    private function lookAfter(PDOException $exception): void
    {
        $isOpen = $this->state->open;
        $next = $isOpen ? $this->dialect->afterError($exception) : '';
        if ($next !== '') {
            try {
                $this->own->send($next);
            } catch (PDOException) {
                // The connection is lost, and the transaction with it, whatever the driver remembers.
                $this->over();
                $this->state->isLost = true;

                return;
            }
        }
        $this->look();
        $this->state->isLost = $isOpen && !$this->state->open;
    }

    /** What COMMIT would run of triggers, or refuse by a constraint, is run before it: what it locks comes first. */
    private function runDeferred(): void
    {
        if ($this->dialect->runDeferred() === '' || $this->facts?->areDeferred() !== true) {
            return;
        }
        try {
            $this->own->send($this->dialect->runDeferred());
        } catch (PDOException $exception) {
            $this->own->send('ROLLBACK');
            $this->over();
            throw $exception;
        }
    }
}
