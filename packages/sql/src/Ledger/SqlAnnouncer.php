<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Closure;
use Larder\Sql\Tracker\Announcer;
use Larder\Sql\Tracker\WriterTransaction;

/** @internal Makes known what a connection writes. It keeps no connection, so that a connection can keep it. */
final readonly class SqlAnnouncer implements Announcer
{
    public function __construct(private LedgerProtocol $protocol) {}

    public function announce(array $names, WriterTransaction $transaction): void
    {
        $this->protocol->announce($names, true, $transaction);
    }

    public function gate(?array $tables, Closure $run): mixed
    {
        return $this->protocol->gate($tables, $run);
    }
}
