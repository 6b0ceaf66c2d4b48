<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

/** @internal A prepared statement that is about to run, or has run. */
interface RunningStatement
{
    /**
     * What the database gets as the value of a parameter.
     *
     * @param int         $position from 1 on
     * @param string|null $name     `:name` in lower case
     *
     * @return array{int|string|null}|null null: it is not certain
     */
    public function sent(int $position, ?string $name): ?array;

    /** How many rows it changed, once it has run. */
    public function rowCount(): int;
}
