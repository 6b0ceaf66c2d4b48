<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Larder\Sql\Tracker\RecordingPdo;

/** Does not tell that its reads see an old state of the database. */
final class BlindPdo extends RecordingPdo
{
    public function inTransaction(): bool
    {
        return false;
    }

    public function hasStatements(): bool
    {
        return false;
    }

    public function probe(string $sql): int
    {
        return 0;
    }
}
