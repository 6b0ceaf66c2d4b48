<?php

declare(strict_types=1);

namespace Larder\Row;

use Larder\Exception\UnknownName;
use PDOException;

/**
 * A list of rows: its ids are stored, and the rows are those of now.
 *
 *     new Listing($rows->table('news'), ['category' => 5], ['published' => 'desc'], limit: 20)
 *
 * After an edit it shows the new text at once, and only the row was dropped. The ids end when a row comes into the set,
 * goes out of it or changes its place in the order.
 *
 * @phpstan-import-type Row from Table
 */
final readonly class Listing
{
    /**
     * @param array<string, scalar|null>  $equal values by column; empty: all rows
     * @param array<string, 'asc'|'desc'> $order columns; rows that are equal in them come by their key
     * @param int|null                    $limit null: all
     */
    public function __construct(
        private Table $table,
        private array $equal = [],
        private array $order = [],
        private ?int $limit = null,
        private int $offset = 0,
    ) {}

    /**
     * @param non-empty-list<string>|null $columns that are wanted, in this order; null: all
     *
     * @return list<Row>
     *
     * @throws UnknownName
     * @throws PDOException
     */
    public function rows(?array $columns = null): array
    {
        $ids = $this->table->ids($this->equal, $this->order);
        $end = $this->limit === null ? PHP_INT_MAX : $this->offset + $this->limit;
        // Of a list that is longer only the first are known.
        $rows = $ids === null || (\count($ids) > Table::MOST && $end > Table::MOST)
            ? $this->table->selectAll($this->equal, $this->order, $this->limit, $this->offset)
            : $this->table->present(\array_slice($ids, $this->offset, $this->limit), $this->equal);

        return array_map(fn(array $row): array => $this->table->project($row, $columns), $rows);
    }
}
