<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Closure;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\PdoStatements;
use Larder\Sql\Tracker\TransactionState;
use PDO;

/** Larder's own statements on a SteppedPdo, each of which is a step. */
final class SteppedStatements extends PdoStatements
{
    /** @param Closure(): PDO $open */
    public function __construct(
        SteppedPdo $connection,
        Dialect $dialect,
        TransactionState $state,
        ?Several $several,
        Closure $open,
        private readonly Pace $pace,
    ) {
        parent::__construct($connection, $dialect, $state, $several, $open);
    }

    public function rows(string $sql, array $parameters = []): array
    {
        $this->pace->step();

        return parent::rows($sql, $parameters);
    }

    public function repeatable(string $sql): array
    {
        $this->pace->step();

        return parent::repeatable($sql);
    }

    public function change(string $sql, array $parameters = []): int
    {
        $this->pace->step();

        return parent::change($sql, $parameters);
    }

    public function together(array $statements): ?array
    {
        $this->pace->step();

        return parent::together($statements);
    }
}
