<?php

declare(strict_types=1);

namespace Larder\Tests\Sql\Locking;

use Larder\Sql\Tracker\RecordingPdo;
use PDO;

/** The application's connection. Its statements run unseen, so that a test says by hand what they read and write. */
class Writer extends RecordingPdo
{
    public function beginTransaction(): bool
    {
        $this->transaction()->ending($this, fn(): int|false => PDO::exec($this->dialect()->begin()));

        return true;
    }

    /** A statement that were kept would keep the connection open. */
    public function rows(string $sql, array $parameters = []): array
    {
        if ($parameters !== []) {
            return parent::rows($sql, $parameters);
        }
        $statement = PDO::query($sql);
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $statement === false ? [] : $statement->fetchAll(PDO::FETCH_ASSOC);

        return $rows;
    }

    public function value(string $sql): mixed
    {
        return current($this->rows($sql)[0] ?? [null]);
    }
}
