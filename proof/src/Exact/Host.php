<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Larder\Sql\Schema\Registry;
use PDO;
use PDOException;

/** Where databases are made, each with a name of its own. */
interface Host
{
    /**
     * Makes a database.
     *
     * @param list<string> $statements that fill it; those that fail are left out
     */
    public function create(string $name, array $statements): void;

    public function remove(string $name): void;

    /**
     * @param array<int, mixed> $attributes
     *
     * @throws PDOException
     */
    public function connect(string $name, array $attributes = []): PDO;

    /**
     * @param array<int, mixed> $attributes
     *
     * @throws PDOException
     */
    public function recording(string $name, Registry $registry, Causes $causes, array $attributes = []): SteppedPdo;

    /**
     * Does in a database what tells which rows are touched from now on.
     *
     * @param array<int, mixed> $attributes
     */
    public function watch(string $name, array $attributes = []): Watch;

    /** @return list<string> the ordinary tables, without Larder's own */
    public function tables(PDO $connection): array;

    /** Whether a reader and a writer can be open at once, so that their steps can be put in any order. */
    public function overlaps(): bool;

    /**
     * Settings of a connection that reads, which must wait for nobody: all run in one process.
     *
     * @return list<string>
     */
    public function impatience(): array;

    /** The database's number of an error. */
    public function code(PDOException $exception): string;

    /** Whether lastInsertId() asks nothing of the server. */
    public function knowsLastId(): bool;

    public function stop(): void;
}
