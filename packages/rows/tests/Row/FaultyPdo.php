<?php

declare(strict_types=1);

namespace Larder\Tests\Row;

use Closure;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\TransactionState;
use PDOException;

/** A connection whose server interrupts one statement, by its number. */
final class FaultyPdo extends RecordingPdo
{
    public bool $hasFailed = false;

    /** Whether all after it fail too. */
    public bool $stays = false;

    /** How many statements run before it; null: none fails. */
    private ?int $left = null;

    /** @param int $number of the statement that fails, from now on */
    public function fail(int $number, bool $stays): void
    {
        [$this->left, $this->stays] = [$number, $stays];
    }

    /** Fails instead of a statement, if it is its turn. */
    public function meet(): void
    {
        if ($this->left === null) {
            return;
        }
        if (--$this->left === 0 || ($this->stays && $this->hasFailed)) {
            $this->hasFailed = true;
            $exception = new PDOException('SQLSTATE[70100]: it was interrupted');
            $exception->errorInfo = ['70100', 1317, 'it was interrupted'];
            throw $exception;
        }
    }

    protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
    {
        return new FaultyStatements($this, $this->dialect(), $state, $several, $open);
    }
}
