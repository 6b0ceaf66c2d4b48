<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

use Closure;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\TransactionState;
use PDOStatement;

/** Counts the statements that reach the database. */
final class CountingPdo extends RecordingPdo
{
    private int $statements = 0;

    private ?CountedStatements $own = null;

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

    /** Since it was last asked. */
    public function statements(): int
    {
        $statements = $this->statements + ($this->own->statements ?? 0);
        $this->statements = 0;
        if ($this->own !== null) {
            $this->own->statements = 0;
        }

        return $statements;
    }

    protected function ownStatements(TransactionState $state, Several $several, Closure $open): OwnStatements
    {
        return $this->own = new CountedStatements($this, $this->dialect(), $state, $several, $open);
    }
}
