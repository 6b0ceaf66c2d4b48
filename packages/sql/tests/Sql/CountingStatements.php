<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\PdoStatements;
use Larder\Sql\Tracker\TransactionState;
use PDO;
use WeakReference;

/** Larder's own statements on a CountingPdo, which lists them. */
final class CountingStatements extends PdoStatements
{
    /** @var WeakReference<CountingPdo> */
    private readonly WeakReference $counting;

    /** @param Closure(): PDO $open */
    public function __construct(
        CountingPdo $connection,
        Dialect $dialect,
        TransactionState $state,
        ?Several $several,
        Closure $open,
    ) {
        parent::__construct($connection, $dialect, $state, $several, $open);
        $this->counting = WeakReference::create($connection);
    }

    public function rows(string $sql, array $parameters = []): array
    {
        $this->list($sql);

        return parent::rows($sql, $parameters);
    }

    public function change(string $sql, array $parameters = []): int
    {
        $this->list($sql);

        return parent::change($sql, $parameters);
    }

    public function send(string $sql): int|false
    {
        if ($sql !== 'COMMIT') {
            $this->list($sql);
        }

        return parent::send($sql);
    }

    private function list(string $sql): void
    {
        $connection = $this->counting->get();
        if ($connection !== null) {
            $connection->ran[] = $sql;
        }
    }
}
