<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Exception\LedgerUnavailable;

/**
 * @internal Makes known what a connection writes. The connection keeps it, so it must not keep the connection, nor a
 * statement of it.
 */
interface Announcer
{
    /**
     * Makes known what the open transaction wrote, right before its COMMIT.
     *
     * @param list<Name> $names
     *
     * @throws LedgerUnavailable after a rollback
     */
    public function announce(array $names, WriterTransaction $transaction): void;

    /**
     * Runs a statement that commits by itself. Nothing is stored while it runs, and what it changes is made known.
     *
     * @template T
     *
     * @param list<string>|null $tables that it changes; null: all
     * @param Closure(): T      $run
     *
     * @return T
     *
     * @throws LedgerUnavailable before it has run
     */
    public function gate(?array $tables, Closure $run): mixed;
}
