<?php

declare(strict_types=1);

namespace Larder\Dependency\Protocol;

use Larder\Dependency\Database\Connection;
use Larder\Dependency\Database\LockingDialect;
use Larder\Dependency\Database\SecondConnection;
use Larder\Dependency\Registration;
use Random\Randomizer;

/** @internal The index of a ledger where rows are locked one by one. */
final readonly class LockingIndex extends SqlIndex
{
    /** Rows that a route has. */
    private const PARTS = 16;

    public function __construct(
        Connection $connection,
        private LockingDialect $dialect,
        private Randomizer $random = new Randomizer(),
    ) {
        parent::__construct($connection);
    }

    public function remove(array $rows): array
    {
        if ($rows === []) {
            return [];
        }
        $list = implode(', ', array_column($rows, 'id'));
        // Somebody else may have deleted some. Two who delete lock the pages in one order, and then nothing of another
        // page.
        $rows = array_values($this->rows(
            'SELECT ' . $this->columns() . ' FROM larder_page p' . $this->dialect->by('PRIMARY') . ' WHERE p.id IN ('
                . $list . ') AND p.page IS NOT NULL ORDER BY p.id FOR UPDATE',
            [],
        ));
        $this->connection->change($this->dialect->delete('larder_edge') . $this->dialect->by('larder_edge_page')
            . ' WHERE t.page IN (' . $list . ')');
        $this->deleteButLast($list);

        return self::less($rows);
    }

    public function insert(Registration $registration, string $release, array $freed, int $generation = 0): int
    {
        $page = $this->page($registration, $release);
        $freed = self::with($registration, $freed);
        if ($this->connection instanceof SecondConnection) {
            $rows = $this->connection->together([
                $page,
                ...$this->edges($registration, $this->dialect->lastNumber()),
                ...$this->additions($freed),
                ['SELECT ' . $this->dialect->lastNumber() . ' AS id', []],
            ]);

            return (int) ($rows[\count($rows) - 1][0]['id'] ?? 0);
        }
        $this->connection->change(...$page);
        $id = $this->connection->lastId();
        foreach ($this->edges($registration, (string) $id) as $statement) {
            $this->connection->change(...$statement);
        }
        $this->add($freed);

        return $id;
    }

    public function add(array $bytes): void
    {
        foreach ($this->additions($bytes) as $statement) {
            $this->connection->change(...$statement);
        }
    }

    protected function age(): string
    {
        return 'p.id';
    }

    /**
     * Deletes rows of pages. The last one only loses its page: the number of the last generation must not go back.
     *
     * @param string $list of ids
     */
    private function deleteButLast(string $list): void
    {
        $last = (int) ($this->connection->rows('SELECT MAX(id) AS id FROM larder_page')[0]['id'] ?? 0);
        $delete = $this->dialect->delete('larder_page') . $this->dialect->by('PRIMARY')
            . ' WHERE t.id IN (%s) AND t.id < %d';
        $this->connection->change(\sprintf($delete, $list, $last));
        // They are out of that order, so those are left alone that somebody else is about to delete.
        $former = array_column($this->connection->rows(
            'SELECT t.id FROM larder_page t' . $this->dialect->by('page') . ' WHERE t.page IS NULL AND t.id < '
                . $last . ' ' . $this->dialect->freeRows(),
        ), 'id');
        if ($former !== []) {
            $this->connection->change(\sprintf($delete, implode(', ', $former), $last));
        }
        $this->connection->change(\sprintf(
            'UPDATE larder_page SET page = NULL, route = \'\', bytes = 0, expires = NULL WHERE id IN (%s) AND id >= %d',
            $list,
            $last,
        ));
    }

    /**
     * A route has some rows, so that a publication seldom waits for another one's.
     *
     * @param array<array-key, int> $bytes by route
     *
     * @return list<array{string, list<string|int>}> statements in the order of add()
     */
    private function additions(array $bytes): array
    {
        ksort($bytes, SORT_STRING);
        $add = $this->dialect->addTo('larder_route', 'route, part', 'bytes');
        $statements = [];
        foreach ($bytes as $route => $sum) {
            $statements[] = [$add, [(string) $route, $this->random->getInt(0, self::PARTS - 1), $sum]];
        }

        return $statements;
    }
}
