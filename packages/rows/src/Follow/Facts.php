<?php

declare(strict_types=1);

namespace Larder\Follow;

use Larder\Sql\Schema\Table;

/**
 * @internal What a database says of its tables, beside the registry: how the log's images of rows are read, and what
 * changes with a row without being in the log.
 *
 * @phpstan-import-type Image from RowChange
 */
interface Facts
{
    /** The schema that the ledger and its tables are in. */
    public function schema(): string;

    /** Reads all anew: the schema may be another one. */
    public function refresh(): void;

    /**
     * The columns of a table that names are made from, as the database would give them.
     *
     * @param Image        $image
     * @param list<string> $columns
     *
     * @return array<string, string|null>|null by $columns; null: not all are certain
     */
    public function row(Table $table, array $image, array $columns, bool $isBefore): ?array;

    /** The value of a column in one of Larder's own tables. */
    public function own(RowChange $change, string $column, int $number): ?string;

    /**
     * Tables of the schema whose rows may have changed with this row, by foreign keys, where the log does not have it.
     *
     * @return list<string>
     */
    public function children(RowChange $change): array;
}
