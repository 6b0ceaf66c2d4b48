<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Closure;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\TransactionState;
use Larder\Testbed\Server\Database;

/** The connection of a reader: it counts its queries, and may read rows that are to be stored past all locks. */
final class ReadingPdo extends RecordingPdo
{
    private int $selects = 0;

    private ?ReadingStatements $statements = null;

    public function __construct(Database $database, private readonly bool $isCareless)
    {
        parent::__construct($database->dsn, user: $database->user, password: $database->password);
    }

    public function select(string $sql, array $parameters = [], \Larder\Dependency\Name ...$names): array
    {
        ++$this->selects;

        return parent::select($sql, $parameters, ...$names);
    }

    /** How many queries were run. */
    public function queries(): int
    {
        return $this->selects + ($this->statements->queries ?? 0);
    }

    protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
    {
        return $this->statements = new ReadingStatements(
            $this,
            $this->dialect(),
            $state,
            $several,
            $open,
            $this->isCareless,
        );
    }
}
