<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Closure;
use PDO;
use PDOException;

/** @internal Larder's second connection, which is opened when it is first needed. */
final class LaterConnection
{
    private ?SecondConnection $connection = null;

    /** @param Closure(): (Closure(): PDO) $another what opens it */
    public function __construct(
        private readonly Closure $another,
        private readonly Dialect $dialect,
    ) {}

    public function isOpen(): bool
    {
        return $this->connection !== null;
    }

    /** @throws PDOException */
    public function open(): SecondConnection
    {
        return $this->connection ??= new SecondConnection(($this->another)(), $this->dialect);
    }

    /**
     * @param array<array-key, scalar|null> $parameters
     *
     * @return list<array<string, scalar|null>>
     *
     * @throws PDOException
     */
    public function rows(string $sql, array $parameters = []): array
    {
        return $this->open()->rows($sql, $parameters);
    }

    /**
     * @param array<array-key, scalar|null> $parameters
     *
     * @throws PDOException
     */
    public function change(string $sql, array $parameters = []): int
    {
        return $this->open()->change($sql, $parameters);
    }

    /**
     * @param non-empty-list<array{string, list<scalar|null>}> $statements as of SecondConnection::together()
     * @param int<1, max>                                      $ofOne
     *
     * @return list<list<array<string, scalar|null>>>
     *
     * @throws PDOException
     */
    public function together(array $statements, int $ofOne = 1): array
    {
        return $this->open()->together($statements, $ofOne);
    }
}
