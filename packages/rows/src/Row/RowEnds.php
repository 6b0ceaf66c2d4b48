<?php

declare(strict_types=1);

namespace Larder\Row;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Exception\LedgerUnavailable;

/**
 * Ends what is stored of rows that change.
 *
 * What a row's change ends is told by its names, of the row before it and of the row after it: `news:4` is the row by
 * its key, `news?email=x` the row of a unique key and the list of the ids of a set, `news` the lists of the whole
 * table, `news!` everything of the table. Larder's own writers call close(); who reads the database's log calls end().
 */
interface RowEnds
{
    /**
     * Called inside the writer's transaction, right before COMMIT, when everything that changes is locked.
     *
     * When it returns, nothing of before is stored under these names. Whoever reads a row anew from now on finds it
     * locked, and does not store it, until the transaction is over. A table that changes in bulk is closed: nothing of
     * it is handed out or stored, until the closure that is returned has run, or some time has passed.
     *
     * @param list<Name>|null $names null: everything
     *
     * @return Closure(): void to be called after COMMIT
     *
     * @throws LedgerUnavailable if a store does not confirm it: the change must be rolled back
     */
    public function close(?array $names): Closure;

    /**
     * Called for a change that is committed. Of MariaDB's rows it may come before the change can be seen; of everything
     * else, a set, a table and all of PostgreSQL, only once it can be seen.
     *
     * @param list<Name>|null $names null: everything
     *
     * @throws LedgerUnavailable if a store does not confirm it: it must be called again
     */
    public function end(?array $names): void;
}
