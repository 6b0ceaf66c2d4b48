<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Sql;

use PDO;
use PDOStatement;

/** What any subclass of PDO costs. */
final class BarePdo extends PDO
{
    /** @param array<array-key, mixed> $options */
    public function prepare(string $query, array $options = []): PDOStatement|false
    {
        return parent::prepare($query, $options);
    }

    public function query(string $query, ?int $fetchMode = null, mixed ...$fetchModeArgs): PDOStatement|false
    {
        return parent::query($query, $fetchMode, ...$fetchModeArgs);
    }
}
