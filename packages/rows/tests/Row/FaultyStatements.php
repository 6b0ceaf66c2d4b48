<?php

declare(strict_types=1);

namespace Larder\Tests\Row;

use Closure;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\PdoStatements;
use Larder\Sql\Tracker\TransactionState;
use PDO;
use WeakReference;

/** Larder's own statements on a FaultyPdo. */
final class FaultyStatements extends PdoStatements
{
    /** @var WeakReference<FaultyPdo> */
    private readonly WeakReference $faulty;

    public function __construct(
        FaultyPdo $connection,
        Dialect $dialect,
        TransactionState $state,
        ?Several $several,
        Closure $open,
    ) {
        $faulty = $this->faulty = WeakReference::create($connection);
        parent::__construct($connection, $dialect, $state, $several, static function () use ($open, $faulty): PDO {
            // The catalog is asked by a connection of its own, and once more if that has failed.
            if ($faulty->get()?->stays === true) {
                $faulty->get()->meet();
            }

            return $open();
        });
    }

    public function rows(string $sql, array $parameters = []): array
    {
        $this->faulty->get()?->meet();

        return parent::rows($sql, $parameters);
    }

    public function last(array $before, string $sql, array $parameters = []): array
    {
        $this->faulty->get()?->meet();

        return parent::last($before, $sql, $parameters);
    }
}
