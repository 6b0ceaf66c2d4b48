<?php

declare(strict_types=1);

namespace Larder\Dependency;

/**
 * The index of a SqlLedger: which page was made from what, in the tables larder_page, larder_edge and larder_route.
 *
 * It does not care for order and locks: SqlLedger calls it at the right moments.
 *
 * @phpstan-type Row array{id: int, placed: RegisteredPage, route: string, bytes: int}
 */
final readonly class SqlIndex
{
    /** Parameters of one statement, below every database's limit. */
    private const CHUNK = 500;

    private const COLUMNS = 'p.id, p.page, p.draft, p.release, p.route, p.bytes';

    public function __construct(private Connection $connection) {}

    /**
     * @param list<Dependency> $names
     *
     * @return list<Row>
     */
    public function madeFrom(array $names): array
    {
        $found = [];
        foreach (array_chunk($names, self::CHUNK) as $chunk) {
            $found += $this->rows(
                'SELECT ' . self::COLUMNS . ' FROM larder_page p WHERE p.id IN'
                    . ' (SELECT e.page FROM larder_edge e WHERE e.name IN (' . self::marks($chunk) . '))',
                array_map(strval(...), $chunk),
            );
        }

        return array_values($found);
    }

    /** @return list<Row> none or one */
    public function ofPage(string $page): array
    {
        return array_values($this->rows('SELECT ' . self::COLUMNS . ' FROM larder_page p WHERE p.page = ?', [$page]));
    }

    /** @return list<Row> of one route, or of all */
    public function oldest(string $route, int $limit): array
    {
        $select = 'SELECT ' . self::COLUMNS . ' FROM larder_page p WHERE p.route = ? ORDER BY p.generation LIMIT ';

        return array_values($this->rows($select . $limit, [$route]));
    }

    /** @return list<Row> pages whose time is over */
    public function expired(int $now, int $limit): array
    {
        $select = 'SELECT ' . self::COLUMNS . ' FROM larder_page p WHERE p.expires <= ? LIMIT ';

        return array_values($this->rows($select . $limit, [$now]));
    }

    public function isEmpty(): bool
    {
        return $this->connection->rows('SELECT 1 FROM larder_page LIMIT 1') === [];
    }

    /** @param list<Row> $rows as read in this transaction */
    public function delete(array $rows): void
    {
        if ($rows === []) {
            return;
        }
        $bytes = [];
        foreach ($rows as $row) {
            $bytes[$row['route']] = ($bytes[$row['route']] ?? 0) + $row['bytes'];
        }
        $list = implode(', ', array_column($rows, 'id'));
        $this->connection->change('DELETE FROM larder_edge WHERE page IN (' . $list . ')');
        $this->connection->change('DELETE FROM larder_page WHERE id IN (' . $list . ')');
        foreach ($bytes as $route => $sum) {
            $this->connection->change('UPDATE larder_route SET bytes = bytes - ? WHERE route = ?', [$sum, $route]);
        }
    }

    public function insert(Registration $registration, string $release, int $generation): void
    {
        $this->connection->change(
            'INSERT INTO larder_page (page, draft, release, route, bytes, generation, expires)'
                . ' VALUES (?, ?, ?, ?, ?, ?, ?)',
            [
                $registration->page, $registration->draft, $release, $registration->route, $registration->bytes,
                $generation, $registration->expires,
            ],
        );
        $id = $this->connection->lastId();
        foreach (array_chunk($registration->reads->names(), self::CHUNK) as $names) {
            $this->connection->change(
                'INSERT INTO larder_edge (name, page) VALUES '
                    . implode(', ', array_fill(0, \count($names), '(?, ' . $id . ')')),
                $names,
            );
        }
        $update = 'UPDATE larder_route SET bytes = bytes + ? WHERE route = ?';
        if ($this->connection->change($update, [$registration->bytes, $registration->route]) === 0) {
            $insert = 'INSERT INTO larder_route (bytes, route) VALUES (?, ?)';
            $this->connection->change($insert, [$registration->bytes, $registration->route]);
        }
    }

    public function clear(): void
    {
        foreach (['larder_edge', 'larder_page', 'larder_route'] as $table) {
            $this->connection->change('DELETE FROM ' . $table);
        }
    }

    /** @return array<string, int> bytes by route */
    public function bytes(): array
    {
        $bytes = [];
        foreach ($this->connection->rows('SELECT route, bytes FROM larder_route ORDER BY route') as $row) {
            /** @var array{route: string, bytes: int} $row */
            $bytes[$row['route']] = $row['bytes'];
        }

        return $bytes;
    }

    /** @return array{pages: int, edges: int} */
    public function count(): array
    {
        /** @var array{pages: int, edges: int} $row */
        $row = $this->connection->rows(
            'SELECT (SELECT COUNT(*) FROM larder_page) AS pages, (SELECT COUNT(*) FROM larder_edge) AS edges',
        )[0];

        return $row;
    }

    /** @return list<string> all pages of a release */
    public function pages(string $release): array
    {
        /** @var list<string> $pages */
        $pages = array_column($this->connection->rows(
            'SELECT p.page FROM larder_page p WHERE p.release = ? ORDER BY p.page',
            [$release],
        ), 'page');

        return $pages;
    }

    /** @return list<string> the names that a page was made from */
    public function namesOf(string $page): array
    {
        /** @var list<string> $names */
        $names = array_column($this->connection->rows(
            'SELECT e.name FROM larder_page p JOIN larder_edge e ON e.page = p.id WHERE p.page = ? ORDER BY e.name',
            [$page],
        ), 'name');

        return $names;
    }

    /** @return list<string> the pages that were made from this name */
    public function pagesOf(Dependency $name): array
    {
        /** @var list<string> $pages */
        $pages = array_column($this->connection->rows(
            'SELECT p.page FROM larder_edge e JOIN larder_page p ON p.id = e.page WHERE e.name = ? ORDER BY p.page',
            [$name->name],
        ), 'page');

        return $pages;
    }

    /**
     * @param list<scalar|null> $parameters
     *
     * @return array<int, Row> by id
     */
    private function rows(string $sql, array $parameters): array
    {
        $rows = [];
        foreach ($this->connection->rows($sql, $parameters) as $row) {
            /** @var array{id: int, page: string, draft: string, release: string, route: string, bytes: int} $row */
            $rows[$row['id']] = [
                'id' => $row['id'],
                'placed' => new RegisteredPage($row['page'], $row['draft'], $row['release']),
                'route' => $row['route'],
                'bytes' => $row['bytes'],
            ];
        }

        return $rows;
    }

    /** @param list<mixed> $values */
    private static function marks(array $values): string
    {
        return implode(', ', array_fill(0, \count($values), '?'));
    }
}
