<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use PDO;
use PDOException;
use PDOStatement;
use Throwable;

/**
 * Larder's own connection beside the application's, in a database that locks rows one by one: for what must be seen or
 * kept whatever becomes of the application's transaction. It sees what is committed, and waits for a lock for a second.
 */
final readonly class SecondConnection implements Connection
{
    private function __construct(
        private PDO $pdo,
        private Dialect $dialect,
    ) {}

    /**
     * @param PDO $pdo of its own, which throws exceptions
     *
     * @throws PDOException
     */
    public static function of(PDO $pdo, Dialect $dialect): self
    {
        $pdo->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_ASSOC);
        foreach ($dialect->introduction() as $statement) {
            $pdo->exec($statement);
        }

        return new self($pdo, $dialect);
    }

    public function rows(string $sql, array $parameters = []): array
    {
        /** @var list<array<string, scalar|null>> $rows */
        $rows = self::executed($this->pdo->prepare($sql), $parameters)->fetchAll();

        return $rows;
    }

    public function change(string $sql, array $parameters = []): int
    {
        return self::executed($this->pdo->prepare($sql), $parameters)->rowCount();
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
        $this->pdo->beginTransaction();
        try {
            $made = $do();
            $this->pdo->commit();

            return $made;
        } catch (Throwable $exception) {
            $this->end();
            throw $exception;
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

    private function end(): void
    {
        try {
            $this->pdo->rollBack();
        } catch (PDOException) {
            // The database has ended it, with the connection or without.
        }
    }
}
