<?php

declare(strict_types=1);

namespace Larder\Dependency\Protocol;

use Larder\Dependency\Database\Connection;
use Larder\Dependency\Database\LockingDialect;
use Larder\Dependency\Database\SecondConnection;
use Larder\Dependency\Dependency;
use Larder\Dependency\RegisteredPage;
use Larder\Dependency\Registration;
use Larder\Dependency\SqlLedger;
use Random\Randomizer;

/**
 * The index of a SqlLedger: which page was made from what, in the tables larder_page, larder_edge and larder_route.
 *
 * It does not care for the order of steps: the ledger's protocols call it at the right moments.
 *
 * @phpstan-type Row array{id: int, placed: RegisteredPage, route: string, bytes: int}
 */
final readonly class SqlIndex
{
    /** Parameters of one statement, below every database's limit. */
    private const CHUNK = 500;

    /** Rows that a route has where rows are locked one by one. */
    private const PARTS = 16;

    /** Bytes. A longer name is kept as its hash: it would not fit into every database's indexes. */
    private const LONGEST_NAME = 1000;

    private const BYTES = 'SELECT route, bytes FROM larder_route ORDER BY route';

    public function __construct(
        private Connection $connection,
        private Randomizer $random = new Randomizer(),
    ) {}

    /** @internal A name as the index has it: a text that every database can keep. */
    public static function text(string $name): string
    {
        $isText = \strlen($name) <= self::LONGEST_NAME && !str_contains($name, "\0") && preg_match('//u', $name) === 1;

        return $isText ? $name : '~' . hash('sha256', $name);
    }

    /**
     * The pages made from names, as a table to join.
     *
     * @param non-empty-list<Dependency> $names
     */
    public function besideState(array $names): string
    {
        return 'SELECT DISTINCT p.id AS page_id, p.page, p.draft, p.' . $this->release()
            . ' AS made_by, p.route, p.bytes FROM larder_edge e JOIN larder_page p ON p.id = e.page'
            . ' WHERE e.name IN (' . self::marks($names) . ')';
    }

    /**
     * @param list<array<string, scalar|null>> $rows beside which that table was joined
     *
     * @return list<Row>
     */
    public function foundBeside(array $rows): array
    {
        $found = [];
        foreach ($rows as $row) {
            if (isset($row['page_id'], $row['page'])) {
                /**
                 * @var array{
                 *     page_id: int, page: string, draft: string, made_by: string, route: string, bytes: int,
                 * } $row
                 */
                $found[$row['page_id']] = self::row(['id' => $row['page_id'], 'release' => $row['made_by']] + $row);
            }
        }

        return array_values($found);
    }

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
                'SELECT ' . $this->columns() . ' FROM larder_page p WHERE p.id IN'
                    . ' (SELECT e.page FROM larder_edge e WHERE e.name IN (' . self::marks($chunk) . '))',
                array_map(self::text(...), array_column($chunk, 'name')),
            );
        }

        return array_values($found);
    }

    /**
     * The queries for the older page of a key, and for the bytes of all routes.
     *
     * @return array{array{string, list<string>}, array{string, list<string>}} for found() and byRoute()
     */
    public function room(string $page): array
    {
        return [
            ['SELECT ' . $this->columns() . ' FROM larder_page p WHERE p.page = ?', [$page]],
            [self::BYTES, []],
        ];
    }

    /** @return list<Row> none or one */
    public function ofPage(string $page): array
    {
        return $this->found($this->connection->rows(...$this->room($page)[0]));
    }

    /**
     * @param list<array<string, scalar|null>> $rows of the first query of room()
     *
     * @return list<Row>
     */
    public function found(array $rows): array
    {
        $found = [];
        foreach ($rows as $row) {
            /** @var array{id: int, page: string, draft: string, release: string, route: string, bytes: int} $row */
            $found[] = self::row($row);
        }

        return $found;
    }

    /** @return list<Row> of one route, or of all */
    public function oldest(string $route, int $limit): array
    {
        $select = 'SELECT ' . $this->columns() . ' FROM larder_page p WHERE p.route = ? ORDER BY '
            . ($this->locks() ? 'p.id' : 'p.generation') . ' LIMIT ';

        return array_values($this->rows($select . $limit, [$route]));
    }

    /** @return list<Row> pages whose time is over */
    public function expired(int $now, int $limit): array
    {
        $select = 'SELECT ' . $this->columns() . ' FROM larder_page p WHERE p.expires <= ? LIMIT ';

        return array_values($this->rows($select . $limit, [$now]));
    }

    public function isEmpty(): bool
    {
        return $this->connection->rows('SELECT 1 FROM larder_page WHERE page IS NOT NULL LIMIT 1') === [];
    }

    /** @param list<Row> $rows as read in this transaction; where rows are locked one by one, as read at some time */
    public function delete(array $rows): void
    {
        $this->add($this->remove($rows));
    }

    /**
     * Deletes rows but from the sums of their routes.
     *
     * @param list<Row> $rows as for delete()
     *
     * @return array<string, int> what is to be added to the bytes of each route
     */
    public function remove(array $rows): array
    {
        if ($rows === []) {
            return [];
        }
        $list = implode(', ', array_column($rows, 'id'));
        $dialect = $this->connection->dialect();
        if ($dialect instanceof LockingDialect) {
            // Somebody else may have deleted some. Two who delete lock the pages in one order, and then nothing of
            // another page.
            $rows = array_values($this->rows(
                'SELECT ' . $this->columns() . ' FROM larder_page p' . $dialect->by('PRIMARY') . ' WHERE p.id IN ('
                    . $list . ') AND p.page IS NOT NULL ORDER BY p.id FOR UPDATE',
                [],
            ));
            $this->connection->change(
                $dialect->delete('larder_edge') . $dialect->by('larder_edge_page') . ' WHERE t.page IN (' . $list . ')',
            );
            $this->deleteButLast($list, $dialect);
        } else {
            $this->connection->change('DELETE FROM larder_edge WHERE page IN (' . $list . ')');
            $this->connection->change('DELETE FROM larder_page WHERE id IN (' . $list . ')');
        }
        $bytes = [];
        foreach ($rows as $row) {
            $bytes[$row['route']] = ($bytes[$row['route']] ?? 0) - $row['bytes'];
        }

        return $bytes;
    }

    /**
     * @param array<string, int> $freed what remove() returned in this transaction
     *
     * @return int the row's id
     */
    public function insert(Registration $registration, string $release, array $freed, int $generation = 0): int
    {
        $row = [
            'page' => $registration->page, 'draft' => $registration->draft, $this->release() => $release,
            'route' => $registration->route, 'bytes' => $registration->bytes, 'expires' => $registration->expires,
        ] + ($this->locks() ? [] : ['generation' => $generation]);
        $insert = \sprintf(
            'INSERT INTO larder_page (%s) VALUES (%s)',
            implode(', ', array_keys($row)),
            self::marks($row),
        );
        $freed[$registration->route] = ($freed[$registration->route] ?? 0) + $registration->bytes;
        $dialect = $this->connection->dialect();
        $edges = fn(string $id): array => array_map(static fn(array $names): array => [
            'INSERT INTO larder_edge (name, page) VALUES '
                . implode(', ', array_fill(0, \count($names), "(?, $id)")),
            array_map(self::text(...), $names),
        ], array_chunk($registration->reads->names(), self::CHUNK));
        if ($dialect instanceof LockingDialect && $this->connection instanceof SecondConnection) {
            $rows = $this->connection->together([
                [$insert, array_values($row)],
                ...$edges($dialect->lastNumber()),
                ...$this->additions($freed, $dialect),
                ['SELECT ' . $dialect->lastNumber() . ' AS id', []],
            ]);

            return (int) ($rows[\count($rows) - 1][0]['id'] ?? 0);
        }
        $this->connection->change($insert, array_values($row));
        $id = $this->connection->lastId();
        foreach ($edges((string) $id) as $statement) {
            $this->connection->change(...$statement);
        }
        $this->add($freed);

        return $id;
    }

    /**
     * Adds to the sums of routes, which is what each transaction does last, in one order: others wait for these rows,
     * and then for nothing more.
     *
     * @param array<array-key, int> $bytes by route
     */
    public function add(array $bytes): void
    {
        $dialect = $this->connection->dialect();
        if ($dialect instanceof LockingDialect) {
            foreach ($this->additions($bytes, $dialect) as $statement) {
                $this->connection->change(...$statement);
            }

            return;
        }
        foreach ($bytes as $route => $sum) {
            $route = (string) $route;
            $update = 'UPDATE larder_route SET bytes = bytes + ? WHERE route = ?';
            if ($this->connection->change($update, [$sum, $route]) === 0) {
                $insert = 'INSERT INTO larder_route (bytes, route) VALUES (?, ?)';
                $this->connection->change($insert, [$sum, $route]);
            }
        }
    }

    /** In the order of delete(), since both may run at one time. */
    public function clear(): void
    {
        foreach (['larder_page', 'larder_edge', 'larder_route'] as $table) {
            $this->connection->change('DELETE FROM ' . $table);
        }
    }

    /** @return array<string, int> bytes by route */
    public function bytes(): array
    {
        return self::byRoute($this->connection->rows(self::BYTES));
    }

    /**
     * @param list<array<string, scalar|null>> $rows of routes and bytes
     *
     * @return array<string, int> bytes by route
     */
    public static function byRoute(array $rows): array
    {
        $bytes = [];
        foreach ($rows as $row) {
            /** @var array{route: string, bytes: int} $row */
            $bytes[$row['route']] = ($bytes[$row['route']] ?? 0) + $row['bytes'];
        }

        return $bytes;
    }

    /** @return array{pages: int, edges: int} */
    public function count(): array
    {
        /** @var array{pages: int, edges: int} $row */
        $row = $this->connection->rows(
            'SELECT (SELECT COUNT(page) FROM larder_page) AS pages, (SELECT COUNT(*) FROM larder_edge) AS edges',
        )[0];

        return $row;
    }

    /** @return list<string> all pages of a release */
    public function pages(string $release): array
    {
        /** @var list<string> $pages */
        $pages = array_column($this->connection->rows(
            'SELECT p.page FROM larder_page p WHERE p.' . $this->release()
                . ' = ? AND p.page IS NOT NULL ORDER BY p.page',
            [$release],
        ), 'page');

        return $pages;
    }

    /**
     * Pages with a text in their keys, whose letters may be small or not.
     *
     * @param bool $largest the largest first; else sorted by key
     *
     * @return list<array{page: string, route: string, bytes: int}>
     */
    public function search(string $like, int $limit, bool $largest = false): array
    {
        /** @var list<array{page: string, route: string, bytes: int}> $rows */
        $rows = $this->connection->rows(
            "SELECT p.page, p.route, p.bytes FROM larder_page p WHERE p.page LIKE ? ESCAPE '!' ORDER BY "
                . ($largest ? 'p.bytes DESC, ' : '') . 'p.page LIMIT ' . $limit,
            ['%' . strtr($like, ['!' => '!!', '%' => '!%', '_' => '!_']) . '%'],
        );

        return $rows;
    }

    /** @return array<string, array{pages: int, bytes: int}> by route, the one with the most bytes first */
    public function routes(): array
    {
        $routes = [];
        foreach ($this->connection->rows(
            'SELECT p.route, COUNT(*) AS pages, SUM(p.bytes) AS bytes FROM larder_page p WHERE p.page IS NOT NULL'
                . ' GROUP BY p.route ORDER BY SUM(p.bytes) DESC, p.route',
        ) as $row) {
            $routes[(string) $row['route']] = ['pages' => (int) $row['pages'], 'bytes' => (int) $row['bytes']];
        }

        return $routes;
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
            [self::text($name->name)],
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
            $rows[$row['id']] = self::row($row);
        }

        return $rows;
    }

    /**
     * @param array{id: int, page: string, draft: string, release: string, route: string, bytes: int} $row
     *
     * @return Row
     */
    private static function row(array $row): array
    {
        return [
            'id' => $row['id'],
            'placed' => new RegisteredPage($row['page'], $row['draft'], $row['release']),
            'route' => $row['route'],
            'bytes' => $row['bytes'],
        ];
    }

    /**
     * Deletes rows of pages. The last one only loses its page: the number of the last generation must not go back.
     *
     * @param string $list of ids
     */
    private function deleteButLast(string $list, LockingDialect $dialect): void
    {
        $last = (int) ($this->connection->rows('SELECT MAX(id) AS id FROM larder_page')[0]['id'] ?? 0);
        $delete = $dialect->delete('larder_page') . $dialect->by('PRIMARY') . ' WHERE t.id IN (%s) AND t.id < %d';
        $this->connection->change(\sprintf($delete, $list, $last));
        // They are out of that order, so those are left alone that somebody else is about to delete.
        $former = array_column($this->connection->rows(
            'SELECT t.id FROM larder_page t' . $dialect->by('page') . ' WHERE t.page IS NULL AND t.id < ' . $last . ' '
                . $dialect->freeRows(),
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
     * Where rows are locked one by one, a route has some, so that a publication seldom waits for another one's.
     *
     * @param array<array-key, int> $bytes by route
     *
     * @return list<array{string, list<string|int>}> statements in the order of add()
     */
    private function additions(array $bytes, LockingDialect $dialect): array
    {
        ksort($bytes, SORT_STRING);
        $add = $dialect->addTo('larder_route', 'route, part', 'bytes');
        $statements = [];
        foreach ($bytes as $route => $sum) {
            $statements[] = [$add, [(string) $route, $this->random->getInt(0, self::PARTS - 1), $sum]];
        }

        return $statements;
    }

    private function locks(): bool
    {
        return $this->connection->dialect()->locksRows();
    }

    private function release(): string
    {
        return $this->connection->dialect()->quote('release');
    }

    private function columns(): string
    {
        return 'p.id, p.page, p.draft, p.' . $this->release() . ', p.route, p.bytes';
    }

    /** @param array<array-key, mixed> $values */
    private static function marks(array $values): string
    {
        return implode(', ', array_fill(0, \count($values), '?'));
    }
}
