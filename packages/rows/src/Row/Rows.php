<?php

declare(strict_types=1);

namespace Larder\Row;

use Closure;
use Larder\Exception\UnknownName;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\LockingDialect;
use Larder\Store;
use Psr\Log\LoggerInterface;
use ValueError;

/**
 * Rows of the database by key, kept in a store: the same rows that PDO gives, type for type.
 *
 *     $rows = new Rows($pages->ledger($pdo), $store);
 *     $rows->table('news')->find(4);
 *
 * A row that is written through a Larder connection ends before its COMMIT, so no reader gets an old one after it. Make
 * this object wherever such a connection is opened, also where nobody reads by it: the writer has to know the store.
 *
 * The store is a SharedMemory on one host, a MemcachedStore on many, or a TieredStore of both. It is of this database
 * alone: a namespace that nothing else uses. In SQLite nothing is stored: to read a row there is as fast.
 */
final class Rows
{
    private readonly StoredRows $stored;

    private readonly Lifetimes $lifetimes;

    private readonly ?Source $source;

    /** @var array<string, Table> */
    private array $tables = [];

    /**
     * @param SqlLedger  $ledger of the connection that rows are read by
     * @param float|null $ttl    seconds that a row is kept at most; null: without end
     * @param float      $absent the same, of a row that is not there
     * @param LoggerInterface|null $logger gets a line where rows of a table cannot be stored; null: nobody
     * @param float      $closed seconds for which a table stays closed that a dead writer was changing in bulk: more
     *     than a COMMIT takes, or a statement that commits by itself
     * @param bool  $followed whether rows are handed out only while `larder follow` is up to date, which ends in this
     *     store what other programs write; else from the database
     *
     * @throws ValueError
     */
    public function __construct(
        private readonly SqlLedger $ledger,
        private readonly Store $store,
        ?float $ttl = 86400.0,
        float $absent = 300.0,
        private readonly ?LoggerInterface $logger = null,
        float $closed = 60.0,
        private readonly bool $followed = false,
    ) {
        if (!($closed > 0.0)) {
            throw new ValueError('$closed must be more than 0 seconds');
        }
        $connection = $ledger->connection();
        $this->lifetimes = new Lifetimes($ttl, $absent);
        $this->stored = new StoredRows($store, $connection->registry(), $closed);
        $this->source = $connection->dialect()->choose(
            static fn(): null => null,
            static fn(LockingDialect $dialect): Source => $dialect->advisoryLock('0', false, false) === null
                ? new LockedRows($connection->own())
                : new LockedNames($connection->own(), $dialect, $ledger->slots()),
        );
        if ($this->source !== null) {
            $stored = $this->stored;
            $connection->tracker()->database->closeBy(static fn(?array $names): Closure => $stored->close($names));
        }
    }

    /**
     * @param string $name of an ordinary table, as the connection finds it
     *
     * @throws UnknownName only when it is used: a hit asks no database
     */
    public function table(string $name): Table
    {
        $connection = $this->ledger->connection();

        return $this->tables[$name] ??= new Table(
            $name,
            $connection,
            new Lookup(
                $name,
                $this->store,
                $connection,
                $this->source,
                $this->lifetimes,
                $this->logger,
                $this->followed,
            ),
        );
    }

    /** What ends rows, for who reads the database's log. */
    public function ends(): RowEnds
    {
        return $this->stored;
    }
}
