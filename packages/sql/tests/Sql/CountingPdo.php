<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Sql\Tracker\RecordingPdo;
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

    public function run(string $sql, array $parameters = []): PDOStatement
    {
        $before = \count($this->ran);
        $statement = parent::run($sql, $parameters);
        if (($this->ran[$before] ?? null) !== $sql) {
            // One of the connection's own is not prepared by the method above.
            array_splice($this->ran, $before, 0, [$sql]);
        }

        return $statement;
    }

    public function exec(string $statement): int|false
    {
        $this->ran[] = $statement;

        return parent::exec($statement);
    }
}
