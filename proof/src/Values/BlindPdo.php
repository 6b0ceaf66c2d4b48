<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Closure;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\TransactionState;

/** Does not tell that its reads see an old state of the database. */
final class BlindPdo extends RecordingPdo
{
    public function inTransaction(): bool
    {
        return false;
    }

    protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
    {
        return new BlindStatements($this, $this->dialect(), $state, $several, $open);
    }
}
