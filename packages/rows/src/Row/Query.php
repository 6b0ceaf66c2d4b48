<?php

declare(strict_types=1);

namespace Larder\Row;

use Larder\Sql\Schema\Dialect;

/** @internal The texts of the queries on one table. */
final readonly class Query
{
    private string $from;

    public function __construct(private Dialect $dialect, string $table)
    {
        $this->from = $dialect->quote($table);
    }

    public function byKey(string $key, int $count): string
    {
        $where = $count === 1 ? '= ?' : 'IN (' . implode(', ', array_fill(0, $count, '?')) . ')';

        return \sprintf('SELECT * FROM %s WHERE %s %s', $this->from, $this->dialect->quote($key), $where);
    }

    /**
     * @param non-empty-list<array<string, scalar|null>> $sets of values by column, of which a row has one
     *
     * @return array{string, list<scalar|null>} with its parameters
     */
    public function bySets(array $sets): array
    {
        [$where, $values] = $this->where($sets);

        return ["SELECT * FROM $this->from$where", $values];
    }

    /**
     * @param array<string, scalar|null>  $equal
     * @param array<string, 'asc'|'desc'> $order
     *
     * @return array{string, list<scalar|null>} with its parameters
     */
    public function ids(string $key, array $equal, array $order, int $limit): array
    {
        [$rest, $values] = $this->rest($key, $equal, $order, $limit, 0);

        return [\sprintf('SELECT %s AS id%s', $this->dialect->quote($key), $rest), $values];
    }

    /**
     * @param string                      $key   '': there is none
     * @param array<string, scalar|null>  $equal
     * @param array<string, 'asc'|'desc'> $order
     *
     * @return array{string, list<scalar|null>} with its parameters
     */
    public function all(string $key, array $equal, array $order, ?int $limit, int $offset): array
    {
        [$rest, $values] = $this->rest($key, $equal, $order, $limit, $offset);

        return ['SELECT *' . $rest, $values];
    }

    /**
     * @param array<string, scalar|null>  $equal
     * @param array<string, 'asc'|'desc'> $order
     *
     * @return array{string, list<scalar|null>}
     */
    private function rest(string $key, array $equal, array $order, ?int $limit, int $offset): array
    {
        [$where, $values] = $this->where([$equal]);
        $by = [];
        foreach ($order + ($key === '' ? [] : [$key => 'asc']) as $column => $direction) {
            $by[] = $this->dialect->quote($column) . ($direction === 'desc' ? ' DESC' : '');
        }

        return [\sprintf(
            ' FROM %s%s%s%s',
            $this->from,
            $where,
            $by === [] ? '' : ' ORDER BY ' . implode(', ', $by),
            $limit === null && $offset === 0 ? '' : \sprintf(' LIMIT %d OFFSET %d', $limit ?? PHP_INT_MAX, $offset),
        ), $values];
    }

    /**
     * @param non-empty-list<array<string, scalar|null>> $sets
     *
     * @return array{string, list<scalar|null>}
     */
    private function where(array $sets): array
    {
        $any = $values = [];
        foreach ($sets as $equal) {
            $all = [];
            foreach ($equal as $column => $value) {
                $all[] = $this->dialect->quote($column) . ($value === null ? ' IS NULL' : ' = ?');
                if ($value !== null) {
                    $values[] = $value;
                }
            }
            $any[] = implode(' AND ', $all);
        }

        return match (true) {
            $any === [''] => ['', []],
            \count($any) === 1 => [" WHERE $any[0]", $values],
            default => [' WHERE (' . implode(') OR (', $any) . ')', $values],
        };
    }
}
