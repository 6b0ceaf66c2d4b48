<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\LaterConnection;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\SecondConnection;
use LogicException;
use PDOException;
use Psr\Log\LoggerInterface;

/** @internal The database of a tracked connection, as Larder reaches it. It does not keep the connection. */
final class TrackedDatabase
{
    /** @var list<Closure(list<Name>|null): (Closure(): void)> */
    private array $closers = [];

    /** @param LaterConnection|null $second of a server; null: one transaction writes at a time */
    public function __construct(
        public readonly OwnStatements $own,
        public readonly Registry $registry,
        private readonly ?LaterConnection $second,
        public readonly ?LoggerInterface $logger,
    ) {}

    public function dialect(): Dialect
    {
        return $this->own->dialect();
    }

    /** @throws PDOException */
    public function second(): SecondConnection
    {
        $second = $this->second
            ?? throw new LogicException('Where one transaction writes at a time, there is no second connection.');

        return $second->open();
    }

    /**
     * Lets someone end what is stored of the rows that the connection changes.
     *
     * Right before COMMIT, when everything that changes is locked, $close gets the names of what changes, or null for
     * everything. It throws LedgerUnavailable if it cannot end it, and the transaction is rolled back. What it returns
     * runs after COMMIT, and not after a rollback.
     *
     * @param Closure(list<Name>|null): (Closure(): void) $close
     */
    public function closeBy(Closure $close): void
    {
        $this->closers[] = $close;
    }

    /**
     * @param list<Name>|null $names null: everything
     *
     * @return list<Closure(): void> what is to be done after COMMIT
     *
     * @throws LedgerUnavailable
     */
    public function close(?array $names): array
    {
        $then = [];
        foreach ($names === [] ? [] : $this->closers as $close) {
            $then[] = $close($names);
        }

        return $then;
    }
}
