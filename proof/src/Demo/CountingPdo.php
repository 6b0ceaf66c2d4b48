<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

use Larder\Sql\Tracker\RecordingPdo;
use PDOStatement;

/** Counts the statements that reach the database. */
final class CountingPdo extends RecordingPdo
{
    private int $statements = 0;

    public function run(string $sql, array $parameters = []): PDOStatement
    {
        ++$this->statements;

        return parent::run($sql, $parameters);
    }

    public function exec(string $statement): int|false
    {
        ++$this->statements;

        return parent::exec($statement);
    }

    public function commit(): bool
    {
        ++$this->statements;

        return parent::commit();
    }

    /** Since it was last asked. */
    public function statements(): int
    {
        $statements = $this->statements;
        $this->statements = 0;

        return $statements;
    }
}
