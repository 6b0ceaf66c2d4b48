<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Closure;
use Larder\Dependency\Name;
use Larder\Exception\NoTransaction;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\TrackedDatabase;
use Larder\Sql\Tracker\Tracker;
use Larder\Sql\Tracker\WriterTransaction;
use PDOException;
use Throwable;

/**
 * @internal One writer at a time, as in SQLite: all runs on the application's own connection.
 *
 * The renderer holds the write lock during [check, register], the writer during [bump, read index, unlink, COMMIT]. So
 * a writer finds each draft that was registered before, and the versions that it moved refuse each draft that comes
 * later.
 *
 * @phpstan-import-type State from SqlState
 */
final readonly class OneWriterProtocol implements LedgerProtocol
{
    /** How long a renderer waits for the write lock before it gives up storing, in milliseconds. */
    private const PATIENCE = 250;

    private Dialect $dialect;

    /** @param (Closure(AnnouncedChange): (Closure(): mixed|null))|null $announced as of SqlLedger */
    public function __construct(
        private TrackedDatabase $database,
        private PageRegister $register,
        private OneWriterState $state,
        private string $release,
        private int $slots,
        private ?Closure $announced = null,
    ) {
        $this->dialect = $database->dialect();
    }

    public function deploy(Tracker $tracker): void
    {
        foreach ($this->dialect->schema($this->slots) as $statement) {
            $this->database->own->send($statement);
        }
        $this->anew($tracker, 'deploying', function (): array {
            $this->database->own->change(
                $this->dialect->insertIfAbsent(
                    'larder_ledger',
                    ['one', 'id', 'generation', 'registry', 'release', 'slots'],
                ),
                [1, '', 0, '', '', $this->slots],
            );

            return $this->register->deploy($this->release, $this->database->registry->hash());
        });
    }

    public function flush(Tracker $tracker): void
    {
        $this->anew($tracker, 'flushing', $this->register->flush(...));
    }

    public function seal(RecordedReads $reads, Tracker $tracker): void
    {
        ['id' => $life, 'versions' => $versions] = $this->present($reads->slots($this->slots), $tracker);
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
        $transaction = $tracker->transaction();
        $usual = $this->patience();
        try {
            $this->database->own->send($this->dialect->patience(self::PATIENCE, $usual)[0]);
            try {
                $tracker->begin();
            } catch (PDOException $exception) {
                return $this->dialect->isBusy($exception) ? Publication::Busy : throw $exception;
            }
            try {
                [$refused, $generation] = $this->register($registration, $stamp, $transaction);
                $transaction->commit();
            } catch (Throwable $exception) {
                self::rollBack($transaction);
                throw $exception;
            }
        } catch (PDOException $exception) {
            throw LedgerUnavailable::during('registering a page', $exception);
        } finally {
            $this->database->own->send($this->dialect->patience(self::PATIENCE, $usual)[1]);
        }

        return $refused ?? ($place($generation) ? Publication::Stored : Publication::Changed);
    }

    public function announce(array $names, bool $looks, WriterTransaction $transaction): array
    {
        if (!$transaction->isOpen()) {
            throw NoTransaction::forChange();
        }
        $writes = $transaction->writes();
        if (!$looks && $names === [] && !$writes->areUndeclared()) {
            return [];
        }
        try {
            $state = $this->register->state->read();
            $isOther = $state['registry'] !== $this->database->registry->hash();
            $names = $isOther ? Name::inBulk($names) : $names;
            if (!$state['isOfSchema'] || ($isOther && $writes->areUndeclared())) {
                // The same statement may read something else now. And another release may declare what was written
                // under whatever name. So all begin anew.
                $this->register->begin($this->register->served(), $state['release'], $state['registry']);
                $this->tell($transaction, $names, null);
            } elseif ($names !== []) {
                $this->state->bump($names);
                $pages = $this->registered($state, $transaction);
                $made = $this->register->index->madeFrom($names);
                $pages->outdate(array_column($made, 'placed'));
                $this->register->index->delete($made);
                $this->tell($transaction, $names, array_column($made, 'placed'));
            }
            $writes->clear();

            return $names;
        } catch (PDOException|PageStoreFailed|LedgerUnavailable $exception) {
            self::rollBack($transaction);
            throw $exception instanceof LedgerUnavailable
                ? $exception
                : LedgerUnavailable::during('making a change known, which was rolled back', $exception);
        }
    }

    /** No statement commits by itself here but in a transaction of its own, which makes it known. */
    public function gate(?array $tables, Closure $run): mixed
    {
        return $run();
    }

    public function isDurable(): bool
    {
        return true;
    }

    public function present(array $slots, Tracker $tracker): array
    {
        return $this->register->state->present($slots);
    }

    /**
     * Step R3 of algorithm F, under the write lock.
     *
     * @param Closure(int): void $stamp
     *
     * @return array{Publication|null, int} why it is refused, or null; its generation
     */
    private function register(Registration $registration, Closure $stamp, WriterTransaction $transaction): array
    {
        $register = $this->register;
        $versions = $registration->reads->versions();
        $state = $register->state->read(array_keys($versions));
        if ($state['release'] !== $this->release || $state['registry'] !== $this->database->registry->hash()) {
            return [Publication::OtherRelease, 0];
        }
        if (!$state['isOfSchema']) {
            $register->begin($register->served(), $state['release'], $state['registry']);
            $this->tell($transaction, [], null);

            return [Publication::Changed, 0];
        }
        if (!$register->pages->belong($state['id'], $state['generation'])) {
            $isOwn = $this->registered($state, $transaction) === $register->pages;

            return [$isOwn ? Publication::Changed : Publication::OtherPlace, 0];
        }
        if ($versions !== $state['versions'] || $registration->reads->life() !== $state['id']) {
            return [Publication::Changed, 0];
        }
        $older = $register->index->ofPage($registration->page);
        $freed = $register->makeRoom(
            $registration,
            $older,
            $register->index->bytes(),
            fn(array $evicted) => $this->tell($transaction, [], $evicted),
        );
        if ($freed === null) {
            return [Publication::Full, 0];
        }
        $generation = $state['generation'] + 1;
        $stamp($generation);
        $register->state->reach($generation);
        $register->index->insert($registration, $this->release, $freed, $generation);

        return [null, $generation];
    }

    /**
     * The pages that the index knows. If they were lost, or cannot be trusted, all begin anew.
     *
     * @param State $state
     */
    private function registered(array $state, WriterTransaction $transaction): RegisteredPages
    {
        if ($this->register->pages->belong($state['id'], $state['generation'])) {
            return $this->register->pages;
        }
        $pages = $this->register->served();
        if ($pages === $this->register->pages || !$pages->belong($state['id'], $state['generation'])) {
            $this->register->begin($pages, $state['release'], $state['registry']);
            $this->tell($transaction, [], null);
        }

        return $pages;
    }

    /**
     * @param list<Name>          $names
     * @param list<RegisteredPage>|null $dropped
     */
    private function tell(WriterTransaction $transaction, array $names, ?array $dropped): void
    {
        array_map($transaction->afterwards(...), (new Announcements($this->announced))->of($names, $dropped));
    }

    private function patience(): int
    {
        $usual = current($this->database->own->rows($this->dialect->usualPatience())[0] ?? []);

        return is_numeric($usual) ? (int) $usual : 0;
    }

    /** @param Closure(): list<RegisteredPages> $do returns those with pages out of service */
    private function anew(Tracker $tracker, string $step, Closure $do): void
    {
        $transaction = $tracker->transaction();
        try {
            $tracker->begin();
            $cleared = $do();
            $this->tell($transaction, [], null);
            $transaction->commit();
        } catch (Throwable $exception) {
            self::rollBack($transaction);
            throw $exception instanceof LedgerUnavailable ? $exception : LedgerUnavailable::during($step, $exception);
        }
        PageRegister::sweep($cleared);
    }

    private static function rollBack(WriterTransaction $transaction): void
    {
        if ($transaction->isOpen()) {
            $transaction->takeBack();
        }
    }
}
