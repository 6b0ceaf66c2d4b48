<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Closure;

/** An application's connection by which hot items are changed, with SQL alone. */
interface Writer
{
    /**
     * Runs one statement.
     *
     * @param list<int|string> $parameters
     *
     * @return mixed the first column of the first row; false: it returns no row
     */
    public function value(string $sql, array $parameters = []): mixed;

    /**
     * Runs a closure in a transaction, and commits it.
     *
     * @param Closure(): void $change
     */
    public function transaction(Closure $change): void;
}
