<?php

declare(strict_types=1);

namespace Larder\Dependency\Protocol;

use Larder\Dependency\Registration;

/** @internal The index of a ledger that one writes at a time. */
final readonly class OneWriterIndex extends SqlIndex
{
    public function remove(array $rows): array
    {
        if ($rows === []) {
            return [];
        }
        $list = implode(', ', array_column($rows, 'id'));
        $this->connection->change('DELETE FROM larder_edge WHERE page IN (' . $list . ')');
        $this->connection->change('DELETE FROM larder_page WHERE id IN (' . $list . ')');

        return self::less($rows);
    }

    public function insert(Registration $registration, string $release, array $freed, int $generation = 0): int
    {
        $this->connection->change(...$this->page($registration, $release, ['generation' => $generation]));
        $id = $this->connection->lastId();
        foreach ($this->edges($registration, (string) $id) as $statement) {
            $this->connection->change(...$statement);
        }
        $this->add(self::with($registration, $freed));

        return $id;
    }

    public function add(array $bytes): void
    {
        foreach ($bytes as $route => $sum) {
            $route = (string) $route;
            $update = 'UPDATE larder_route SET bytes = bytes + ? WHERE route = ?';
            if ($this->connection->change($update, [$sum, $route]) === 0) {
                $insert = 'INSERT INTO larder_route (bytes, route) VALUES (?, ?)';
                $this->connection->change($insert, [$sum, $route]);
            }
        }
    }

    protected function age(): string
    {
        return 'p.generation';
    }
}
