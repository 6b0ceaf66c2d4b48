<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Larder\Dependency\Name;
use Larder\Sql\Schema\Connection;

/**
 * The index of a SqlLedger: which page was made from what, in the tables larder_page, larder_edge and larder_route.
 *
 * It does not care for the order of steps: the ledger's protocols call it at the right moments.
 *
 * @internal
 *
 * @phpstan-type Row array{id: int, placed: RegisteredPage, route: string, bytes: int}
 */
abstract readonly class SqlIndex
{
    /** Parameters of one statement, below every database's limit. */
    protected const CHUNK = 500;

    /** Bytes. A longer name is kept as its hash: it would not fit into every database's indexes. */
    private const LONGEST_NAME = 1000;

    private const BYTES = 'SELECT route, bytes FROM larder_route ORDER BY route';

    public function __construct(
        protected Connection $connection,
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
     * @param non-empty-list<Name> $names
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
     * @param list<Name> $names
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
            . $this->age() . ' LIMIT ';

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
        return self::isNone($this->connection);
    }

    /** @internal Whether the index that a database has is empty. */
    public static function isNone(Connection $connection): bool
    {
        return $connection->rows('SELECT 1 FROM larder_page WHERE page IS NOT NULL LIMIT 1') === [];
    }

    /** @param list<Row> $rows as read in this transaction; where rows are locked one by one, as read at some time */
    public function delete(array $rows): void
    {
        $this->add($this->remove($rows));
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
    public function pagesOf(Name $name): array
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
    protected function rows(string $sql, array $parameters): array
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

    protected function release(): string
    {
        return $this->connection->dialect()->quote('release');
    }

    protected function columns(): string
    {
        return 'p.id, p.page, p.draft, p.' . $this->release() . ', p.route, p.bytes';
    }

    /** @param array<array-key, mixed> $values */
    protected static function marks(array $values): string
    {
        return implode(', ', array_fill(0, \count($values), '?'));
    }

    /**
     * The statements that note what a page was made from.
     *
     * @param string $id of the page: a number, or an expression
     *
     * @return list<array{string, list<string>}>
     */
    protected function edges(Registration $registration, string $id): array
    {
        return array_map(static fn(array $names): array => [
            'INSERT INTO larder_edge (name, page) VALUES '
                . implode(', ', array_fill(0, \count($names), "(?, $id)")),
            array_map(self::text(...), $names),
        ], array_chunk($registration->reads->names(), self::CHUNK));
    }

    /**
     * @param array<string, string|int|null> $more columns
     *
     * @return array{string, list<string|int|null>} the statement that notes a page
     */
    protected function page(Registration $registration, string $release, array $more = []): array
    {
        $row = [
            'page' => $registration->page, 'draft' => $registration->draft, $this->release() => $release,
            'route' => $registration->route, 'bytes' => $registration->bytes, 'expires' => $registration->expires,
        ] + $more;

        return [
            \sprintf(
                'INSERT INTO larder_page (%s) VALUES (%s)',
                implode(', ', array_keys($row)),
                self::marks($row),
            ),
            array_values($row),
        ];
    }

    /**
     * @param array<string, int> $bytes by route
     *
     * @return array<string, int> with those of a page that is added
     */
    protected static function with(Registration $registration, array $bytes): array
    {
        $bytes[$registration->route] = ($bytes[$registration->route] ?? 0) + $registration->bytes;

        return $bytes;
    }

    /**
     * @param list<Row> $rows
     *
     * @return array<string, int> what the bytes of each route are less without them
     */
    protected static function less(array $rows): array
    {
        $bytes = [];
        foreach ($rows as $row) {
            $bytes[$row['route']] = ($bytes[$row['route']] ?? 0) - $row['bytes'];
        }

        return $bytes;
    }

    /**
     * Deletes rows but from the sums of their routes.
     *
     * @param list<Row> $rows as for delete()
     *
     * @return array<string, int> what is to be added to the bytes of each route
     */
    abstract public function remove(array $rows): array;

    /**
     * @param array<string, int> $freed what remove() returned in this transaction
     *
     * @return int the row's id
     */
    abstract public function insert(
        Registration $registration,
        string $release,
        array $freed,
        int $generation = 0,
    ): int;

    /**
     * Adds to the sums of routes, which is what each transaction does last, in one order: others wait for these rows,
     * and then for nothing more.
     *
     * @param array<array-key, int> $bytes by route
     */
    abstract public function add(array $bytes): void;

    /** The column by which the pages of a route are in the order of their age. */
    abstract protected function age(): string;
}
