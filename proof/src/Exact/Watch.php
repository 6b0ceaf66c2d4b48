<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use PDO;

/**
 * The same data on a plain connection, with a note of which rows are touched.
 *
 * @phpstan-type Rows array<string, list<array<array-key, mixed>>>
 */
interface Watch
{
    public function connection(): PDO;

    /** No longer watches: what does that would stand in the way of a change of the schema. */
    public function unwatch(): void;

    /**
     * @param Rows $rows that there are elsewhere
     *
     * @return Rows|null that were touched since the last call, values in the order of the columns; null: unknown
     */
    public function touched(array $rows): ?array;
}
