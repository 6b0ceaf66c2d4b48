<?php

declare(strict_types=1);

namespace Larder\Dependency\Database;

use Closure;
use PDO;
use PDOException;
use PDOStatement;
use Throwable;

/**
 * Larder's own connection beside the application's, in a database that locks rows one by one: for what must be seen or
 * kept whatever becomes of the application's transaction. It sees what is committed, and waits for a lock for a second.
 */
final class SecondConnection implements Connection
{
    private PDO $pdo;

    private bool $isOpen = false;

    private bool $isPooled = false;

    /**
     * @param Closure(): PDO $open a connection of its own, which throws exceptions
     *
     * @throws PDOException
     */
    public function __construct(
        private readonly Closure $open,
        private readonly Dialect $dialect,
    ) {
        $this->connect();
    }

    public function rows(string $sql, array $parameters = []): array
    {
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $this->run($sql, $parameters)->fetchAll();

        return $rows;
    }

    public function repeatable(string $sql): array
    {
        return [$this->rows($sql), fn(): array => $this->rows($sql)];
    }

    public function change(string $sql, array $parameters = []): int
    {
        return $this->run($sql, $parameters)->rowCount();
    }

    public function lastId(): int
    {
        return (int) $this->pdo->lastInsertId();
    }

    public function dialect(): Dialect
    {
        return $this->dialect;
    }

    /**
     * Runs a closure in a transaction, and commits it.
     *
     * @template T
     *
     * @param Closure(): T $do
     *
     * @return T
     *
     * @throws Throwable after a rollback; what $do throws
     */
    public function transaction(Closure $do): mixed
    {
        $this->again($this->begin(...));
        $this->isOpen = true;
        try {
            $made = $do();
            $this->pdo->commit();

            return $made;
        } catch (Throwable $exception) {
            $this->end();
            throw $exception;
        } finally {
            $this->isOpen = false;
        }
    }

    /**
     * @internal Executes a statement; integers, booleans and null are bound as such.
     *
     * @param array<array-key, scalar|null> $parameters
     *
     * @throws PDOException
     */
    public static function executed(PDOStatement $statement, array $parameters): PDOStatement
    {
        foreach ($parameters as $name => $value) {
            $statement->bindValue(\is_int($name) ? $name + 1 : $name, $value, match (true) {
                \is_int($value), \is_bool($value) => PDO::PARAM_INT,
                $value === null => PDO::PARAM_NULL,
                default => PDO::PARAM_STR,
            });
        }
        $statement->execute();

        return $statement;
    }

    /** @param array<array-key, scalar|null> $parameters */
    private function run(string $sql, array $parameters): PDOStatement
    {
        $run = fn(): PDOStatement => self::executed($this->pdo->prepare($sql), $parameters);

        return match (true) {
            $this->isOpen => $run(),
            $this->isPooled => $this->transaction($run),
            default => $this->again($run),
        };
    }

    private function begin(): void
    {
        $this->isPooled && $this->dialect instanceof LockingDialect
            ? $this->pdo->exec($this->dialect->beginPooled())
            : $this->pdo->beginTransaction();
    }

    /**
     * Runs what begins something. It is seldom used, and a server closes what is idle: then it is opened again.
     *
     * @template T
     *
     * @param Closure(): T $do
     *
     * @return T
     */
    private function again(Closure $do): mixed
    {
        try {
            return $do();
        } catch (PDOException $exception) {
            if (!$this->dialect instanceof LockingDialect || !$this->dialect->isClosed($exception)) {
                throw $exception;
            }
            $this->connect();

            return $do();
        }
    }

    private function connect(): void
    {
        $this->pdo = ($this->open)();
        $this->pdo->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_ASSOC);
        foreach ($this->dialect->once() as $attribute => $value) {
            $this->pdo->setAttribute($attribute, $value);
        }
        $this->isPooled = $this->dialect instanceof LockingDialect && $this->dialect->isPooled($this->pdo);
        foreach ($this->isPooled ? [] : $this->dialect->introduction() as $statement) {
            $this->pdo->exec($statement);
        }
    }

    private function end(): void
    {
        try {
            $this->pdo->rollBack();
        } catch (PDOException) {
            // The database has ended it, with the connection or without.
        }
    }
}
