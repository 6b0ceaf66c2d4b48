<?php

declare(strict_types=1);

namespace Larder\Tests\Sql\Locking;

use Larder\Sql\Schema\SecondConnection;
use Larder\Sql\Tracker\RecordingPdo;
use PDO;

/** The application's connection. Its statements run unseen, so that a test says by hand what they read and write. */
class Writer extends RecordingPdo
{
    public function beginTransaction(): bool
    {
        $this->transaction()->ending(fn(): int|false => PDO::exec($this->dialect()->begin()));

        return true;
    }

    /**
     * A statement that were kept would keep the connection open.
     *
     * @return list<array<string, scalar|null>>
     */
    public function rows(string $sql): array
    {
        $statement = PDO::query($sql);
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $statement === false ? [] : $statement->fetchAll(PDO::FETCH_ASSOC);

        return $rows;
    }

    /** Runs a statement that nobody looks at. */
    public function change(string $sql): int
    {
        return $this->own()->change($sql);
    }

    public function second(): SecondConnection
    {
        return $this->tracker()->second();
    }

    public function value(string $sql): mixed
    {
        return current($this->rows($sql)[0] ?? [null]);
    }
}
