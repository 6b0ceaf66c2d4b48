<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Closure;
use Larder\Dependency\Change;
use Larder\Dependency\DataSource;
use Larder\Dependency\Gate\WriterGates;
use Larder\Dependency\Name;
use Larder\Dependency\Names;
use Larder\Dependency\Recording;
use Larder\Dependency\Unstored;
use Larder\Exception\ChangeFailed;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Tracker\RowChange;
use Larder\Sql\Tracker\TrackedConnection;
use Throwable;

/**
 * The connection of a ledger, as Gates ask it: what it changes is made known by the ledger too.
 *
 * @internal
 */
final readonly class LedgerSource implements DataSource
{
    private DataSource $source;

    /**
     * @param Closure(Closure(RowChange): mixed, Closure(list<Name>): void): mixed $transaction of the ledger
     */
    public function __construct(
        private TrackedConnection $connection,
        private Closure $transaction,
        ?Closure $told,
    ) {
        $this->source = $connection->source($told);
    }

    public function names(): Names
    {
        return $this->source->names();
    }

    public function isOf(object $connection): bool
    {
        return $this->source->isOf($connection);
    }

    /** @phpstan-impure */
    public function inTransaction(): bool
    {
        return $this->source->inTransaction();
    }

    /** @phpstan-impure */
    public function mayHaveWritten(): bool
    {
        return $this->source->mayHaveWritten();
    }

    public function doubt(): ?Unstored
    {
        return $this->source->doubt();
    }

    public function recording(): ?Recording
    {
        return $this->source->recording();
    }

    /**
     * @template T
     *
     * @param Closure(Change): T $write
     *
     * @return T
     */
    public function change(Names $names, Closure $write, WriterGates $gates): mixed
    {
        $known = null;
        try {
            /** @var T what $write returned */
            return ($this->transaction)(static function (RowChange $change) use ($write, &$known): mixed {
                $known = $change;

                return $write($change);
            }, $gates->closeAndCheck(...));
        } catch (Throwable $exception) {
            if ($known !== null) {
                $transaction = $this->connection->tracker()->transaction();
                $gates->failed($transaction->isTakenBack(), [...$known->names(), ...$transaction->past()]);
            }
            throw $exception instanceof LedgerUnavailable
                ? ChangeFailed::because($exception->getMessage(), $exception)
                : $exception;
        }
    }
}
