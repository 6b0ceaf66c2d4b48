<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Exception\NoTransaction;
use Larder\Sql\Exception\LedgerUnavailable;

/** @internal Runs statements that are no SELECT, and notes what they change. */
interface StatementRunner
{
    /**
     * @template T
     *
     * @param Closure(): T          $run
     * @param RunningStatement|null $statement that $run executes; null: $run returns one, or the number of affected
     *     rows
     *
     * @return T
     *
     * @throws NoTransaction
     * @throws LedgerUnavailable after a rollback
     */
    public function run(
        Statement $parsed,
        Closure $run,
        ?RunningStatement $statement,
    ): mixed;
}
