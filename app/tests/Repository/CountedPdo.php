<?php

declare(strict_types=1);

namespace App\Tests\Repository;

use Larder\Dependency\Name;
use Larder\Sql\Tracker\RecordingPdo;

/** Counts what the site asks of its tables; what Larder asks for itself does not count. */
final class CountedPdo extends RecordingPdo
{
    private int $reads = 0;

    public function select(string $sql, array $parameters = [], Name ...$names): array
    {
        ++$this->reads;

        return parent::select($sql, $parameters, ...$names);
    }

    /** Since it was last asked. */
    public function reads(): int
    {
        $reads = $this->reads;
        $this->reads = 0;

        return $reads;
    }
}
