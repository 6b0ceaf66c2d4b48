<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Closure;
use PDO;

final readonly class PdoWriter implements Writer
{
    public function __construct(private PDO $connection) {}

    public function value(string $sql, array $parameters = []): mixed
    {
        $statement = $this->connection->prepare($sql);
        $statement->execute($parameters);

        return $statement->columnCount() === 0 ? false : $statement->fetchColumn();
    }

    public function transaction(Closure $change): void
    {
        $this->connection->beginTransaction();
        $change();
        $this->connection->commit();
    }
}
