<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use mysqli;
use WeakReference;

/** @internal What execute_query() gives a statement, all as texts. */
final readonly class MysqliParameters implements RunningStatement
{
    /** @var WeakReference<mysqli> */
    private WeakReference $connection;

    /** @param list<mixed> $values */
    public function __construct(mysqli $connection, private array $values)
    {
        $this->connection = WeakReference::create($connection);
    }

    public function sent(int $position, ?string $name): ?array
    {
        $value = $this->values[$position - 1] ?? null;

        return match (true) {
            \is_scalar($value) => [(string) $value],
            default => $value === null && \array_key_exists($position - 1, $this->values) ? [null] : null,
        };
    }

    public function rowCount(): int
    {
        return (int) $this->connection->get()?->affected_rows;
    }
}
