<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Closure;
use Larder\Dependency\Name;
use Larder\Exception\NoTransaction;
use Larder\Metrics\SparingLogger;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Durability;
use Larder\Sql\Schema\LockingDialect;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\TrackedDatabase;
use Larder\Sql\Tracker\Tracker;
use Larder\Sql\Tracker\WriterTransaction;
use PDOException;
use Psr\Clock\ClockInterface;
use Random\Randomizer;
use Throwable;

/**
 * @internal Rows are locked one by one, as in MariaDB and PostgreSQL: a ledger with a second connection.
 *
 * A renderer holds the slots of its names alone during [check, register, COMMIT], writers hold them together during
 * [raise, read index, unlink, COMMIT of the application]. So a renderer and a writer exclude each other as they do with
 * one writer at a time, but writers never wait for each other's COMMIT: each change of a table raises the slot of its
 * name. The two slots that every page has are the other way round, since few raise them. All lock in the same order:
 * the list of sets, names, those two. A renderer waits for a moment, and then stores nothing. The index is read on the
 * second connection, since the application's transaction may see an older state of it.
 *
 * @phpstan-import-type Row from SqlIndex
 * @phpstan-import-type State from SqlState
 */
final class LockingProtocol implements LedgerProtocol
{
    /** More would be looked for in all, and PostgreSQL keeps the locks of all transactions in a table of one size. */
    private const MOST_SLOTS = 512;

    /** What each stored page carries. */
    private const OF_ALL = [Dialect::EVERYTHING, Dialect::SCHEMA];

    /** So many pages may be published between a look at the ledger and one at the page store. */
    private const TRIES = 5;

    /** How often a transaction that has told a change before looks whether slots are free for the next one. */
    private const TRIES_TO_RAISE = 50;

    /** Microseconds between. */
    private const PAUSE = 2_000;

    /** One of so many changes looks whether its slots have too many raises. */
    private const COMPACTING = 8;

    private readonly LockingState $first;

    private ?PageRegister $second = null;

    /** On the second connection. */
    private ?LockingState $state = null;

    /** @var array<string, true> what was logged */
    private array $said = [];

    /** @var list<Closure(): void> what is to be done after COMMIT of the second connection */
    private array $then = [];

    /** @param (Closure(AnnouncedChange): (Closure(): mixed|null))|null $announced as of SqlLedger */
    public function __construct(
        private readonly TrackedDatabase $database,
        private readonly LockingDialect $dialect,
        private readonly RegisteredPages $pages,
        private readonly string $release,
        private readonly ClockInterface $clock,
        private readonly int $slots,
        private readonly Randomizer $random,
        private readonly ?Closure $announced = null,
    ) {
        $this->first = new LockingState($database->own, $dialect, $slots, $random);
    }

    public function deploy(Tracker $tracker, bool $takes): void
    {
        $dialect = $this->database->dialect();
        try {
            foreach ($dialect->schema($this->slots) as $statement) {
                $this->database->second()->change($statement);
            }
        } catch (PDOException $exception) {
            throw $this->failed('deploying', $exception);
        }
        $this->anew('deploying', function () use ($dialect, $takes): array {
            $this->database->second()->change(
                $dialect->insertIfAbsent(
                    'larder_ledger',
                    ['one', 'id', 'generation', 'registry', $dialect->quote('release'), 'slots'],
                ),
                [1, '', 0, '', '', $this->slots],
            );

            return $this->withNewSchema(
                fn(): array => $this->second()->deploy($this->release, $this->database->registry->hash(), $takes),
            );
        });
    }

    public function flush(Tracker $tracker): void
    {
        $this->anew('flushing', fn(): array => $this->withNewSchema(fn(): array => $this->second()->flush()));
    }

    public function seal(RecordedReads $reads, Tracker $tracker): void
    {
        $slots = [...self::OF_ALL, ...$reads->slots($this->slots)];
        $snapshot = $tracker->exportedSnapshot();
        try {
            $query = $this->first->sealing($slots);
            $rows = $snapshot === null
                ? $tracker->rowsAtEnd($query)
                : $this->database->second()->rowsOf($snapshot, $query);
        } catch (PDOException $exception) {
            throw $this->failed('reading its state', $exception);
        }
        [$life, $versions] = $this->first->sealed($rows, $slots);
        $reads->seal($versions, $life);
    }

    public function learn(RecordedReads $reads, Tracker $tracker): void
    {
        if ($reads->wanted() !== []) {
            (new LearnedSets($tracker))->add($reads->wanted());
        }
    }

    public function publish(
        Registration $registration,
        Closure $stamp,
        Closure $place,
        Tracker $tracker,
    ): Publication {
        $isLost = $isGated = false;
        try {
            [$refused, $generation] = $this->onSecond(
                function () use ($registration, $stamp, &$isLost, &$isGated): array {
                    return $this->register($registration, $stamp, $isLost, $isGated);
                },
            );
        } catch (PDOException $exception) {
            // Another one may register the same page just now.
            return $this->isBusy($exception) || $this->database->dialect()->isConstraint($exception)
                ? Publication::Busy
                : throw $this->failed('registering a page', $exception);
        }
        if ($isLost) {
            $this->anew('beginning anew', $this->renewLost(...));
        }
        if ($isGated) {
            $this->finishGates();
        }

        return $refused ?? ($place($generation) ? Publication::Stored : Publication::Changed);
    }

    public function announce(array $names, bool $looks, WriterTransaction $transaction): array
    {
        if (!$transaction->isOpen()) {
            throw NoTransaction::forChange();
        }
        $writes = $transaction->writes();
        if ($names === [] && !$writes->areUndeclared() && !$writes->isAll()) {
            return [];
        }
        $slots = $this->slotsOf($names);
        $isAll = $writes->isAll() || \count($slots) > self::MOST_SLOTS;
        if ($isAll) {
            $slots = [$writes->isAll() ? Dialect::SCHEMA : Dialect::EVERYTHING];
        }
        try {
            // From now on no column set is learned that the second connection does not show.
            $isRaised = true;
            if ($slots === []) {
                $this->first->lock([Dialect::SETS], true);
            } elseif ($isAll || !$transaction->hasTold()) {
                $this->first->raise($slots, [Dialect::SETS]);
            } else {
                $this->first->lock([Dialect::SETS], true);
                $isRaised = $this->raiseSoon($names);
            }
            $transaction->tells();
            $second = $this->second();
            [$state, $made] = $isAll || $names === []
                ? [$second->state->read(), []]
                : $this->state()->readWith($second->index, $names);
            $pages = $second->at($state['place']);
            $mayMiss = !$isAll
                && (!$isRaised || $this->mayHaveMissed($state, $names) || !$this->belong($pages, $state));
            if (!$isAll && !$mayMiss && $state['registry'] !== $this->database->registry->hash()) {
                // Another release may declare what was written under whatever name.
                $names = Name::inBulk($names);
                $mayMiss = $writes->areUndeclared() || !$this->raiseFree($names);
                $made = $mayMiss ? [] : $second->index->madeFrom($names);
            }
            if ($mayMiss) {
                $this->first->raise([Dialect::EVERYTHING]);
            }
            if ($isAll || $mayMiss) {
                // Their rows go when the next life begins, which the next page to be published sees to.
                $second->here($state)->clear();
            } else {
                $pages->outdate(array_column($made, 'placed'));
            }
            $writes->clear();
            if ($state['isGated']) {
                $transaction->afterwards($this->finishGates(...));
            }
            $transaction->afterwards(fn() => $this->cleanUp($mayMiss ? [] : $made, $slots));
            $dropped = $isAll || $mayMiss ? null : array_column($made, 'placed');
            array_map($transaction->afterwards(...), (new Announcements($this->announced))->of($names, $dropped));
            // Last, since from now on whoever reads these rows anew finds them locked.
            $isKnown = !$isAll && !$mayMiss;
            array_map($transaction->afterwards(...), $this->database->close($isKnown ? $names : null));

            return $names;
        } catch (PDOException|PageStoreFailed|LedgerUnavailable $exception) {
            if ($transaction->isOpen()) {
                $transaction->takeBack();
            }
            throw $exception instanceof LedgerUnavailable
                ? $exception
                : $this->failed('making a change known, which was rolled back', $exception);
        }
    }

    public function gate(?array $tables, Closure $run): mixed
    {
        $query = $this->dialect->ownerLock();
        if ($query === null) {
            return $run();
        }
        $names = $this->bulk($tables);
        $gate = $this->random->getInt(1, PHP_INT_MAX);
        try {
            // The application's connection has the lock: its statement may outlive this process.
            $owner = (string) ($this->database->own->rows($query)[0]['owner'] ?? '');
            $dropped = $this->onSecond(function () use ($gate, $owner, $names): array {
                $dropped = $this->dropNow($names);
                $this->database->second()->change(
                    'INSERT INTO larder_gate (id, owner) VALUES (?, ?)',
                    [$gate, $owner],
                );

                return $dropped;
            });
            $closed = $this->database->close($names);
        } catch (PDOException|PageStoreFailed $exception) {
            throw $this->failed('closing a gate', $exception);
        }
        try {
            return $run();
        } finally {
            try {
                $this->open($gate, $names, $dropped);
            } catch (PDOException|PageStoreFailed|LedgerUnavailable $exception) {
                $names = null;
                $this->leave($gate, $exception);
            }
            foreach ($closed as $open) {
                $open();
            }
        }
    }

    public function isDurable(): bool
    {
        return $this->outlives($this->second()->state->read());
    }

    /** On the second connection if there is no snapshot, so that no transaction of the application sees its state. */
    public function present(array $slots, Tracker $tracker): array
    {
        try {
            return $tracker->inSnapshot()
                ? $this->first->present($slots)
                : $this->second()->state->present($slots);
        } catch (PDOException $exception) {
            throw $this->failed('reading its state', $exception);
        } catch (LedgerUnavailable $exception) {
            if ($exception->isGated()) {
                // The next one who asks is answered, unless its statement still runs.
                $this->finishGates();
            }
            throw $exception;
        }
    }

    /**
     * Checks and registers a page, in a transaction of the second connection.
     *
     * @param Closure(int): void $stamp
     * @param bool               $isLost  whether the pages are not those of the ledger's life
     * @param bool               $isGated whether a statement runs that commits by itself
     *
     * @return array{Publication|null, int} why it is refused, or null; its generation
     *
     * @param-out bool $isLost
     * @param-out bool $isGated
     */
    private function register(Registration $registration, Closure $stamp, bool &$isLost, bool &$isGated): array
    {
        $second = $this->second();
        $versions = $registration->reads->versions();
        $own = array_values(array_diff(array_keys($versions), self::OF_ALL));
        sort($own);
        $slots = array_keys($versions);
        // Each is a statement of its own: one that locks may see what was before the lock. The slots of all are the
        // last, and without waiting: a writer that wants them alone may hold slots that were waited for before.
        [$held, $ofAll, $state, $older, $bytes] = $this->database->second()->together([
            [$own === [] ? 'SELECT 0 AS slot' : $this->dialect->locks($own, false, true), []],
            [$this->dialect->locks(self::OF_ALL, true, false), []],
            [$second->state->query($slots), []],
            ...$second->index->room($registration->page),
        ], 3);
        if (\count($held) < \count($own)) {
            throw LedgerUnavailable::notInstalled();
        }
        if (\count($ofAll) !== \count(self::OF_ALL)) {
            return [Publication::Busy, 0];
        }
        $state = $second->state->of($state, $slots);
        if ($state['release'] !== $this->release || $state['registry'] !== $this->database->registry->hash()) {
            return [Publication::OtherRelease, 0];
        }
        if ($state['isGated']) {
            $isGated = true;

            return [Publication::Busy, 0];
        }
        if (!$this->outlives($state)) {
            return [Publication::NotDurable, 0];
        }
        if (!$this->belong($this->pages, $state)) {
            $isLost = $second->here($state) === $this->pages;

            return [$isLost ? Publication::Changed : Publication::OtherPlace, 0];
        }
        if ($versions !== $state['versions'] || $registration->reads->life() !== $state['id']) {
            return [Publication::Changed, 0];
        }
        $freed = $second->makeRoom(
            $registration,
            $second->index->found($older),
            SqlIndex::byRoute($bytes),
            fn(array $evicted) => $this->tell([], $evicted),
        );
        if ($freed === null) {
            return [Publication::Full, 0];
        }
        $generation = $state['base'] + $second->index->insert($registration, $this->release, $freed);
        $stamp($generation);

        return [null, $generation];
    }

    /** @param State $state */
    private function outlives(array $state): bool
    {
        return match (Durability::from($state['durability'] ?? Durability::Disk->value)) {
            Durability::None => false,
            Durability::Host => $this->pages->endWithHost() && $this->isLocal(),
            Durability::Disk => true,
        };
    }

    private function isLocal(): bool
    {
        return ($this->database->second()->rows($this->dialect->isLocal())[0]['local'] ?? 0) === 1;
    }

    /**
     * Whether these are the pages of the ledger's life. Another page may have been published since the state was read,
     * so a store that is ahead of it is looked at again.
     *
     * @param State $state
     */
    private function belong(RegisteredPages $pages, array $state): bool
    {
        for ($tries = 1; !$pages->belong($state['id'], $state['generation']); ++$tries) {
            if ($tries === self::TRIES) {
                return false;
            }
            $state = $this->second()->state->read();
        }

        return true;
    }

    /**
     * Whether the names of a change may be too few: they come from another schema or other column sets than the pages',
     * or a statement runs that commits by itself.
     *
     * @param State            $state
     * @param list<Name> $names
     */
    private function mayHaveMissed(array $state, array $names): bool
    {
        $schema = $this->database->registry->schema();
        $isOld = $schema !== null && $schema->version() !== $state['schema'];
        if ($schema !== null && ($isOld || $schema->lastSet() !== $state['lastSet'])) {
            $isOld = $isOld || $this->haveSetsSince($schema->lastSet(), $names);
            $schema->altered();
        }

        return $isOld || $state['isGated'];
    }

    /**
     * Raises the slots of names after those of others. Whoever holds one alone may wait for one of the others, so this
     * waits for none.
     *
     * @param list<Name> $names
     *
     * @return bool false: not all were free, and none was raised
     */
    private function raiseFree(array $names): bool
    {
        $slots = $this->slotsOf($names);
        $areFree = $slots === [] || $this->first->lock($slots, true, false);
        if ($areFree && $slots !== []) {
            $this->first->raise($slots);
        }

        return $areFree;
    }

    /**
     * The same, for a transaction that holds slots by an earlier change. A renderer has one alone for a moment, unless
     * it waits for one of these.
     *
     * @param list<Name> $names
     */
    private function raiseSoon(array $names): bool
    {
        for ($tries = self::TRIES_TO_RAISE; !$this->raiseFree($names); --$tries) {
            if ($tries === 1) {
                return false;
            }
            usleep(self::PAUSE);
        }

        return true;
    }

    /**
     * @param list<Name> $names
     *
     * @return list<int> ascending
     */
    private function slotsOf(array $names): array
    {
        $slots = [];
        foreach ($names as $name) {
            $slots[$name->slot($this->slots)] = true;
        }
        ksort($slots);

        return array_keys($slots);
    }

    /**
     * Whether a column set was learned later than this one of a table that has rows or sets among these names. Nobody
     * learns one meanwhile, since the list is locked.
     *
     * @param list<Name> $names
     */
    private function haveSetsSince(int $set, array $names): bool
    {
        $tables = [];
        foreach ($names as $name) {
            $tables[] = $name->isAll() ? '' : strtolower($name->table);
        }
        $query = 'SELECT DISTINCT tbl FROM larder_set WHERE id > ?';
        $later = array_column($this->database->second()->rows($query, [$set]), 'tbl');

        return array_intersect($later, $tables) !== [];
    }

    /** @return list<RegisteredPages> with pages out of service */
    private function renewLost(): array
    {
        $second = $this->second();
        $state = $second->state->read();
        if ($second->here($state) !== $this->pages || $this->belong($this->pages, $state)) {
            return [];
        }
        $second->begin($this->pages, $state['release'], $state['registry']);

        return [$this->pages];
    }

    /**
     * @param list<string>|null $tables
     *
     * @return non-empty-list<Name>|null null: everything
     */
    private function bulk(?array $tables): ?array
    {
        $names = [];
        foreach ($tables ?? [] as $name) {
            $table = $this->database->registry->find($name);
            if ($table === null) {
                return null;
            }
            $names[] = $table->all();
        }

        return $names === [] ? null : $names;
    }

    /**
     * Raises what these names stand for and removes the pages that were made from them, in a transaction of the second
     * connection.
     *
     * @param non-empty-list<Name>|null $names null: everything
     *
     * @return list<RegisteredPage> that were removed; none where all were
     */
    private function dropNow(?array $names): array
    {
        $second = $this->second();
        $slots = $this->slotsOf($names ?? []);
        $this->state()->raise($slots === [] ? [Dialect::SCHEMA] : $slots);
        $pages = $second->here($second->state->read());
        if ($names === null) {
            $pages->clear();

            return [];
        }
        $made = $second->index->madeFrom($names);
        $dropped = array_column($made, 'placed');
        $pages->outdate($dropped);
        $second->index->delete($made);

        return $dropped;
    }

    /**
     * @param non-empty-list<Name>|null $names   that its statement may have changed; null: everything
     * @param list<RegisteredPage>            $dropped when it was closed
     *
     * @return bool false: another one has opened it
     */
    private function open(int $gate, ?array $names, array $dropped = []): bool
    {
        return $this->onSecond(function () use ($gate, $names, $dropped): bool {
            $dropped = [...$dropped, ...$this->dropNow($names)];
            $opened = $this->database->second()->change('DELETE FROM larder_gate WHERE id = ?', [$gate]);
            $this->tell($names ?? [], $names === null ? null : $dropped);

            return $opened === 1;
        });
    }

    /** Leaves a gate whose statement is over, and that could not be opened, to the next one who finds it. */
    private function leave(int $gate, Throwable $why): void
    {
        $this->say(
            'The gate of a statement that commits by itself could not be opened: {why} Nothing is stored until'
                . ' the next process finds it and opens it.',
            $why,
        );
        try {
            $this->database->second()->change("UPDATE larder_gate SET owner = '' WHERE id = ?", [$gate]);
        } catch (PDOException) {
            // Then it is open to others when this connection ends.
            return;
        }
    }

    /** Logs what became of a gate, each thing once. */
    private function say(string $message, ?Throwable $why = null): void
    {
        if (!isset($this->said[$message])) {
            $this->said[$message] = true;
            ($this->database->logger ?? new SparingLogger())->warning($message, [
                'why' => rtrim((string) $why?->getMessage(), '.') . '.',
                'exception' => $why,
                'cause' => $message,
            ]);
        }
    }

    /**
     * @param list<Name>          $names
     * @param list<RegisteredPage>|null $dropped
     */
    private function tell(array $names, ?array $dropped): void
    {
        array_push(
            $this->then,
            ...(new Announcements($this->announced))->of($names, $dropped),
            ...$this->database->close($dropped === null ? null : $names),
        );
    }

    /**
     * Runs a transaction of the second connection, and after its COMMIT what is to be done then.
     *
     * @template T
     *
     * @param Closure(): T $do
     *
     * @return T
     */
    private function onSecond(Closure $do): mixed
    {
        // What was to follow a transaction that was rolled back.
        $this->following();
        $made = $this->database->second()->transaction($do);
        foreach ($this->following() as $then) {
            $then();
        }

        return $made;
    }

    /**
     * @phpstan-impure
     *
     * @return list<Closure(): void> what was to be done after COMMIT, and is not any more
     */
    private function following(): array
    {
        [$then, $this->then] = [$this->then, []];

        return $then;
    }

    /** Opens the gates whose owners are gone. */
    private function finishGates(): void
    {
        $query = $this->dialect->gatesWithoutOwner();
        if ($query === null) {
            return;
        }
        try {
            foreach ($this->database->second()->rows($query) as ['id' => $gate]) {
                if ($this->open((int) $gate, null)) {
                    $this->say(
                        'The gate of a statement that commits by itself was found closed without its owner, whose'
                            . ' connection has ended or could not open it. It is open again, and all pages and values'
                            . ' have ended.',
                    );
                }
            }
        } catch (PDOException|PageStoreFailed|LedgerUnavailable $exception) {
            $this->say('A gate without an owner could not be opened, so nothing is stored: {why}', $exception);
        }
    }

    /**
     * Deletes what the index has of pages that are gone, after COMMIT. Without it the next change would look for their
     * files in vain.
     *
     * @param list<Row> $made
     * @param list<int> $slots that were raised
     */
    private function cleanUp(array $made, array $slots): void
    {
        try {
            if ($made !== []) {
                $this->database->second()->transaction(fn() => $this->second()->index->delete($made));
            }
            if ($this->random->getInt(1, self::COMPACTING) === 1) {
                $this->database->second()->transaction(fn() => $this->state()->compact($slots));
            }
        } catch (PDOException|LedgerUnavailable) {
            return;
        }
    }

    private function failed(string $step, Throwable $cause): LedgerUnavailable
    {
        try {
            return SqlState::failed($this->database->second(), $step, $cause);
        } catch (PDOException) {
            return LedgerUnavailable::during($step, $cause);
        }
    }

    /** @param Closure(): list<RegisteredPages> $do returns those with pages out of service */
    private function anew(string $step, Closure $do): void
    {
        try {
            $cleared = $this->onSecond(function () use ($do): array {
                $this->state()->lock([Dialect::SCHEMA], false);
                $cleared = $do();
                if ($cleared !== []) {
                    $this->tell([], null);
                }

                return $cleared;
            });
        } catch (Throwable $exception) {
            throw $exception instanceof LedgerUnavailable ? $exception : $this->failed($step, $exception);
        }
        PageRegister::sweep($cleared);
    }

    /**
     * What processes know of the schema may be old, since another program's DDL raises nothing.
     *
     * @param Closure(): list<RegisteredPages> $do
     *
     * @return list<RegisteredPages>
     */
    private function withNewSchema(Closure $do): array
    {
        $this->state()->raise([Dialect::SCHEMA]);

        return $do();
    }

    private function isBusy(PDOException $exception): bool
    {
        return $this->database->dialect()->isBusy($exception);
    }

    private function state(): LockingState
    {
        return $this->state
            ??= new LockingState($this->database->second(), $this->dialect, $this->slots, $this->random);
    }

    private function second(): PageRegister
    {
        $second = $this->database->second();

        return $this->second ??= new PageRegister(
            $this->pages,
            $this->state(),
            new LockingIndex($second, $this->dialect, $this->random),
            $this->clock,
        );
    }
}
