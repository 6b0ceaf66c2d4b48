<?php

declare(strict_types=1);

namespace Larder\Tests\Sql\Locking;

use Closure;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\PdoStatements;
use Larder\Sql\Tracker\TransactionState;
use PDO;

/** Larder's own statements on a SteppedWriter. */
final class SteppedStatements extends PdoStatements
{
    /** @param Closure(): PDO $open */
    public function __construct(
        private readonly SteppedWriter $writer,
        Dialect $dialect,
        TransactionState $state,
        ?Several $several,
        Closure $open,
    ) {
        parent::__construct($writer, $dialect, $state, $several, $open);
    }

    public function rows(string $sql, array $parameters = []): array
    {
        return $this->writer->stepped($sql, fn(): array => parent::rows($sql, $parameters));
    }

    public function change(string $sql, array $parameters = []): int
    {
        return $this->writer->stepped($sql, fn(): int => parent::change($sql, $parameters));
    }
}
