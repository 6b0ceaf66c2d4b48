<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Exception\LedgerUnavailable;

/** @internal Who ends what others have stored of the rows that a connection changes. */
final class Closers
{
    /** @var list<Closure(list<Name>|null): (Closure(): void)> */
    private array $closers = [];

    /**
     * Right before COMMIT, when everything that changes is locked, $close gets the names of what changes, or null for
     * everything. It throws LedgerUnavailable if it cannot end it, and the transaction is rolled back. What it returns
     * runs after COMMIT, and not after a rollback.
     *
     * @param Closure(list<Name>|null): (Closure(): void) $close
     */
    public function add(Closure $close): void
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
