<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Sql;

use PDO;
use PDOStatement;

/** What any subclass of PDOStatement costs. */
final class BareStatement extends PDOStatement
{
    protected function __construct() {}

    /** @param array<array-key, mixed>|null $params */
    public function execute(?array $params = null): bool
    {
        return parent::execute($params);
    }

    /** @return array<array-key, mixed> */
    public function fetchAll(int $mode = PDO::FETCH_DEFAULT, mixed ...$args): array
    {
        return parent::fetchAll($mode, ...$args);
    }
}
