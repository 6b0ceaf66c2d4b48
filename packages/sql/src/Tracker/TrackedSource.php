<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\DataSource;
use Larder\Dependency\Gate\WriterGates;
use Larder\Dependency\Name;
use Larder\Dependency\Names;
use Larder\Dependency\Recording;
use Larder\Dependency\ToldSource;
use Larder\Dependency\Unstored;
use Larder\Exception\ChangeFailed;
use Larder\Exception\UnfinishedWrite;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Schema\Dialect;
use PDOException;
use Throwable;

/**
 * A connection whose statements are followed, as Gates ask it.
 *
 * @internal
 */
final readonly class TrackedSource implements DataSource, Recording
{
    private Dialect $dialect;

    /**
     * @param Tracker $tracker of the connection, which is asked for every hit
     * @param (Closure(): bool)|null $told whether a transaction is open, where the application begins and commits
     */
    public function __construct(
        private TrackedConnection $connection,
        private Tracker $tracker,
        private ?Closure $told,
    ) {
        $this->dialect = $connection->dialect();
    }

    public function names(): Names
    {
        return $this->connection->registry();
    }

    public function isOf(object $connection): bool
    {
        return $connection === $this->connection;
    }

    /** @phpstan-impure */
    public function inTransaction(): bool
    {
        return ($this->told !== null && ($this->told)())
            || $this->tracker->transaction()->isOpenNow()
            || $this->tracker->own->hasStrayed()
            || !$this->runs($this->dialect->outside());
    }

    /** @phpstan-impure */
    public function mayHaveWritten(): bool
    {
        return $this->tracker->wrote();
    }

    public function doubt(): ?Unstored
    {
        $atEnd = $this->dialect->atEnd();

        return match (true) {
            $atEnd === null, !$this->tracker->hasStatements() => null,
            !$this->runs($atEnd[0]) => Unstored::UnknownSnapshot,
            default => $this->runs($atEnd[1]) ? null : Unstored::OldSnapshot,
        };
    }

    public function recording(): Recording
    {
        return $this;
    }

    public function change(Names $names, Closure $write, WriterGates $gates): mixed
    {
        try {
            return $this->told === null
                ? $this->transaction($names, $write, $gates)
                : (new ToldSource($this->told))->change($names, $write, $gates);
        } catch (LedgerUnavailable $exception) {
            throw ChangeFailed::because($exception->getMessage(), $exception);
        }
    }

    public function inSnapshot(): bool
    {
        return $this->tracker->inSnapshot();
    }

    public function record(Closure $compute, Closure $named, Closure $refused): mixed
    {
        $reads = new RecordedReads($this->connection->registry(), $named);
        try {
            return $this->tracker->record($reads, $compute);
        } finally {
            if ($reads->refusal() !== null) {
                $refused($reads->refusal(), $reads->hasFailed() ? Unstored::Failed : Unstored::Statement);
            }
        }
    }

    public function add(Name ...$names): void
    {
        $registry = $this->connection->registry();
        $known = static fn(Name $name): bool => $name->table === '' || $registry->find($name->table) !== null;
        $this->tracker->recorded()?->add(...array_filter($names, $known));
    }

    public function bound(string $reason, float $until): void
    {
        $this->tracker->recorded()?->bound($reason, $until);
    }

    public function refuse(string $reason): void
    {
        $this->tracker->recorded()?->refuse($reason);
    }

    /**
     * @template T
     *
     * @param Closure(RowChange): T $write
     *
     * @return T
     *
     * @throws Throwable
     */
    private function transaction(Names $names, Closure $write, WriterGates $gates): mixed
    {
        $change = null;
        try {
            $this->connection->beginTransaction();
            $registry = $this->connection->registry();
            $change = new RowChange($names, $registry, $this->tracker->writes(), $gates->closeAndCheck(...));
            $made = $this->tracker->transaction()->within(static fn(): mixed => $write($change));
            UnfinishedWrite::check($made);
            $change->check();
            $this->connection->commit();

            return $made;
        } catch (Throwable $exception) {
            if ($change !== null) {
                $this->takeBack();
                $transaction = $this->tracker->transaction();
                $gates->failed($transaction->isTakenBack(), [...$change->names(), ...$transaction->past()]);
            }
            throw $exception;
        }
    }

    private function takeBack(): void
    {
        try {
            $this->tracker->transaction()->takeBackAll($this->connection->takeBack(...));
        } catch (Throwable) {
            // A COMMIT may still arrive.
            return;
        }
    }

    private function runs(string $statement): bool
    {
        try {
            return $statement === '' || $this->tracker->own->send($statement) !== false;
        } catch (PDOException) {
            return false;
        }
    }
}
