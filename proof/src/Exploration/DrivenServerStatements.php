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

/** Larder's own statements on a DrivenMariaDb. They are sent one by one. */
final class DrivenServerStatements extends PdoStatements
{
    /** @var WeakReference<DrivenMariaDb> */
    private readonly WeakReference $driven;

    /** @param Closure(): PDO $open */
    public function __construct(
        DrivenMariaDb $connection,
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
        $this->driven()->name($sql, $parameters);

        return $this->driven()->step($sql, fn(): array => parent::rows($sql, $parameters));
    }

    public function repeatable(string $sql): array
    {
        return [$this->rows($sql), fn(): array => $this->rows($sql)];
    }

    public function change(string $sql, array $parameters = []): int
    {
        $this->driven()->name($sql, $parameters);

        return $this->driven()->step($sql, fn(): int => parent::change($sql, $parameters));
    }

    public function together(array $statements): ?array
    {
        return null;
    }

    public function send(string $sql): int|false
    {
        if (str_starts_with($sql, 'SET ') || $sql === 'START TRANSACTION') {
            return parent::send($sql);
        }

        return $this->driven()->sent(
            $sql,
            fn(): int|false => parent::send($sql),
            fn(string $query): array => parent::rows($query),
        );
    }

    public function another(): Closure
    {
        return $this->driven()->beside();
    }

    private function driven(): DrivenMariaDb
    {
        return $this->driven->get() ?? throw new LogicException('The connection is closed.');
    }
}
