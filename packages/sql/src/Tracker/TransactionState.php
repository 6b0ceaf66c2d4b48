<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;

/**
 * @internal What is known of a connection's transaction that is open, or was open last. A Tracker's parts share it with
 * the connection's own statements.
 */
final class TransactionState
{
    public bool $open = false;

    /** Whether the server has ended it at an error, and the application does not know of it yet. */
    public bool $isLost = false;

    /** Whether a statement ran in it that may be no SELECT. */
    public bool $wrote = false;

    /** Whether the closure of a transaction runs, which must not commit it. */
    public bool $within = false;

    /** Whether it has the write lock for certain. */
    public bool $locked = false;

    /** Whether it has made something known, and so holds locks of the ledger. */
    public bool $hasTold = false;

    /** Whether a statement ran in it that may have changed the schema. */
    public bool $alters = false;

    /** Whether it has looked what the schema lets a statement write to. */
    public bool $knowsSchema = false;

    /** Whether a server ends it whatever comes, since a statement in it failed. */
    public bool $failed = false;

    /** Whether a server begins one by the next statement, as autocommit = 0 says. */
    public bool $isImplicit = false;

    /** Whether the server was asked for what decides how its session reads statements. */
    public bool $isAsked = false;

    /** Whether a statement of the open transaction changed that, which a rollback would take back. */
    public bool $isUnsettled = false;

    /** Whether the read transaction of a render or of a value is open. */
    public bool $snapshot = false;

    /** The number of the row inserted last, if Larder's own statements ran after the application's. */
    public ?string $inserted = null;

    /** Whether names of tables mean others on this session than those that were read. */
    public bool $isElsewhere = false;

    /** @var array<string, true> tables that only this connection has, if no other one has its name */
    public array $temporary = [];

    /** @var list<Closure(): void> what is to be done after COMMIT */
    public array $afterwards = [];

    /** None is open. What is set for the connection stays. */
    public function reset(): void
    {
        $this->open = $this->wrote = $this->locked = $this->alters = $this->knowsSchema = $this->failed = false;
        $this->hasTold = false;
        $this->afterwards = [];
        $this->isLost = false;
    }
}
