<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Sql\Tracker\PdoStatements;

/** Larder's own statements, of which those are noted that say how long SQLite waits. */
final class PatientStatements extends PdoStatements
{
    /** @var list<string> */
    public array $patience = [];

    public function change(string $sql, array $parameters = []): int
    {
        if (str_starts_with($sql, 'PRAGMA busy_timeout =')) {
            $this->patience[] = $sql;
        }

        return parent::change($sql, $parameters);
    }
}
