<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\TransactionState;
use PDOStatement;

/** Notes the statements that are sent beside those that were prepared before. */
final class CountingPdo extends RecordingPdo
{
    /** @var list<string> */
    public array $ran = [];

    public function prepare(string $query, array $options = []): PDOStatement
    {
        $this->ran[] = $query;

        return parent::prepare($query, $options);
    }

    public function exec(string $statement): int|false
    {
        $this->ran[] = $statement;

        return parent::exec($statement);
    }

    protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
    {
        return new CountingStatements($this, $this->dialect(), $state, $several, $open);
    }
}
