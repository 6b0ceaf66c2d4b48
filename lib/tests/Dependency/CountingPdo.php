<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency;

use Larder\Dependency\RecordingPdo;
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
}
