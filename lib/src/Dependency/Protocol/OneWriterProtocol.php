<?php

declare(strict_types=1);

namespace Larder\Dependency\Protocol;

use Closure;
use Larder\Dependency\Database\Dialect;
use Larder\Dependency\Dependency;
use Larder\Dependency\Publication;
use Larder\Dependency\RecordedReads;
use Larder\Dependency\RegisteredPage;
use Larder\Dependency\RegisteredPages;
use Larder\Dependency\Registration;
use Larder\Dependency\TrackedConnection;
use Larder\Dependency\Tracker\LearnedSets;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\NoTransaction;
use Larder\Exception\PageStoreFailed;
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

    public function __construct(
        private TrackedConnection $connection,
        private PageRegister $register,
        private OneWriterState $state,
        private string $release,
        private int $slots,
        private Announcements $announcements = new Announcements(null),
    ) {
        $this->dialect = $connection->dialect();
    }

    public function deploy(): void
    {
        foreach ($this->dialect->schema($this->slots) as $statement) {
            $this->connection->probe($statement);
        }
        $this->anew('deploying', function (): array {
            $this->connection->change(
                $this->dialect->insertIfAbsent(
                    'larder_ledger',
                    ['one', 'id', 'generation', 'registry', 'release', 'slots'],
                ),
                [1, '', 0, '', '', $this->slots],
            );

            return $this->register->deploy($this->release, $this->connection->registry()->hash());
        });
    }

    public function flush(): void
    {
        $this->anew('flushing', $this->register->flush(...));
    }

    public function seal(RecordedReads $reads): void
    {
        ['id' => $life, 'versions' => $versions] = $this->present($reads->slots($this->slots));
        $reads->seal($versions, $life);
    }

    public function learn(RecordedReads $reads): void
    {
        if ($reads->wanted() !== []) {
            (new LearnedSets($this->connection))->add($reads->wanted());
        }
    }

    public function publish(Registration $registration, Closure $stamp, Closure $place): Publication
    {
        $usual = $this->patience();
        try {
            $this->connection->probe($this->dialect->patience(self::PATIENCE, $usual)[0]);
            try {
                $this->connection->beginTransaction();
            } catch (PDOException $exception) {
                return $this->dialect->isBusy($exception) ? Publication::Busy : throw $exception;
            }
            try {
                [$refused, $generation] = $this->register($registration, $stamp);
                $this->connection->commit();
            } catch (Throwable $exception) {
                $this->rollBack();
                throw $exception;
            }
        } catch (PDOException $exception) {
            throw LedgerUnavailable::during('registering a page', $exception);
        } finally {
            $this->connection->probe($this->dialect->patience(self::PATIENCE, $usual)[1]);
        }

        return $refused ?? ($place($generation) ? Publication::Stored : Publication::Changed);
    }

    public function announce(array $names, bool $looks): array
    {
        if (!$this->connection->inTransaction()) {
            throw NoTransaction::forChange();
        }
        $writes = $this->connection->writes();
        if (!$looks && $names === [] && !$writes->areUndeclared()) {
            return [];
        }
        try {
            $state = $this->register->state->read();
            $isOther = $state['registry'] !== $this->connection->registry()->hash();
            $names = $isOther ? Dependency::inBulk($names) : $names;
            if (!$state['isOfSchema'] || ($isOther && $writes->areUndeclared())) {
                // The same statement may read something else now. And another release may declare what was written
                // under whatever name. So all begin anew.
                $this->register->begin($this->register->served(), $state['release'], $state['registry']);
                $this->tell($names, null);
            } elseif ($names !== []) {
                $this->state->bump($names);
                $pages = $this->registered($state);
                $made = $this->register->index->madeFrom($names);
                $pages->outdate(array_column($made, 'placed'));
                $this->register->index->delete($made);
                $this->tell($names, array_column($made, 'placed'));
            }
            $writes->clear();

            return $names;
        } catch (PDOException|PageStoreFailed|LedgerUnavailable $exception) {
            $this->rollBack();
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

    public function present(array $slots): array
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
    private function register(Registration $registration, Closure $stamp): array
    {
        $register = $this->register;
        $versions = $registration->reads->versions();
        $state = $register->state->read(array_keys($versions));
        if ($state['release'] !== $this->release || $state['registry'] !== $this->connection->registry()->hash()) {
            return [Publication::OtherRelease, 0];
        }
        if (!$state['isOfSchema']) {
            $register->begin($register->served(), $state['release'], $state['registry']);
            $this->tell([], null);

            return [Publication::Changed, 0];
        }
        if (!$register->pages->belong($state['id'], $state['generation'])) {
            return [
                $this->registered($state) === $register->pages ? Publication::Changed : Publication::OtherPlace,
                0,
            ];
        }
        if ($versions !== $state['versions'] || $registration->reads->life() !== $state['id']) {
            return [Publication::Changed, 0];
        }
        $older = $register->index->ofPage($registration->page);
        $freed = $register->makeRoom($registration, $older, $register->index->bytes());
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
    private function registered(array $state): RegisteredPages
    {
        if ($this->register->pages->belong($state['id'], $state['generation'])) {
            return $this->register->pages;
        }
        $pages = $this->register->served();
        if ($pages === $this->register->pages || !$pages->belong($state['id'], $state['generation'])) {
            $this->register->begin($pages, $state['release'], $state['registry']);
            $this->tell([], null);
        }

        return $pages;
    }

    /**
     * @param list<Dependency>          $names
     * @param list<RegisteredPage>|null $dropped
     */
    private function tell(array $names, ?array $dropped): void
    {
        array_map($this->connection->afterwards(...), $this->announcements->of($names, $dropped));
    }

    private function patience(): int
    {
        $usual = current($this->connection->rows($this->dialect->usualPatience())[0] ?? []);

        return is_numeric($usual) ? (int) $usual : 0;
    }

    /** @param Closure(): list<RegisteredPages> $do returns those with pages out of service */
    private function anew(string $step, Closure $do): void
    {
        try {
            $this->connection->beginTransaction();
            $cleared = $do();
            $this->tell([], null);
            $this->connection->commit();
        } catch (Throwable $exception) {
            $this->rollBack();
            throw $exception instanceof LedgerUnavailable ? $exception : LedgerUnavailable::during($step, $exception);
        }
        PageRegister::sweep($cleared);
    }

    private function rollBack(): void
    {
        if ($this->connection->inTransaction()) {
            $this->connection->takeBack();
        }
    }
}
