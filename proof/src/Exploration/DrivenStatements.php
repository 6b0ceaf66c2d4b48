<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Closure;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\PdoStatements;
use Larder\Sql\Tracker\TransactionState;
use LogicException;
use PDO;
use WeakReference;

/** Larder's own statements on a DrivenPdo, which may be steps. */
final class DrivenStatements extends PdoStatements
{
    /** @var WeakReference<DrivenPdo> */
    private readonly WeakReference $driven;

    /** @param Closure(): PDO $open */
    public function __construct(
        DrivenPdo $connection,
        Dialect $dialect,
        TransactionState $state,
        ?Several $several,
        Closure $open,
    ) {
        parent::__construct($connection, $dialect, $state, $several, $open);
        $this->driven = WeakReference::create($connection);
    }

    public function rows(string $sql, array $parameters = []): array
    {
        return $this->driven()->stepped($sql, $parameters, fn(): array => parent::rows($sql, $parameters));
    }

    /** Each time as if for the first time, since a query that is kept would be no step. */
    public function repeatable(string $sql): array
    {
        return [$this->rows($sql), fn(): array => $this->rows($sql)];
    }

    public function change(string $sql, array $parameters = []): int
    {
        $sql = self::impatient($sql);

        return $this->driven()->stepped($sql, $parameters, fn(): int => parent::change($sql, $parameters));
    }

    public function send(string $sql): int|false
    {
        $sql = self::impatient($sql);

        return $this->driven()->sent($sql, fn(): int|false => parent::send($sql));
    }

    private static function impatient(string $sql): string
    {
        return str_starts_with($sql, 'PRAGMA busy_timeout =') ? 'PRAGMA busy_timeout' : $sql;
    }

    private function driven(): DrivenPdo
    {
        return $this->driven->get() ?? throw new LogicException('The connection is closed.');
    }
}
