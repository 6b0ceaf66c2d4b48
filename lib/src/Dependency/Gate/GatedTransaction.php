<?php

declare(strict_types=1);

namespace Larder\Dependency\Gate;

use Closure;
use Larder\Dependency\Change;
use Larder\Dependency\Dependency;
use Larder\Dependency\Registry;
use Larder\Dependency\SqlLedger;
use Larder\Dependency\TrackedConnection;
use Larder\Exception\ChangeFailed;
use Larder\Exception\UnfinishedWrite;
use PDO;
use Throwable;

/**
 * A writer's transaction, with a check of its gates right before COMMIT.
 *
 * @internal
 */
final readonly class GatedTransaction
{
    public function __construct(
        private PDO|TrackedConnection|null $connection,
        private ?SqlLedger $ledger,
        private Registry $registry,
    ) {}

    /**
     * @template T
     *
     * @param list<Dependency>   $names
     * @param Closure(Change): T $write
     *
     * @return T
     *
     * @throws ChangeFailed after a rollback
     * @throws Throwable    what $write throws; $gates say whether it was rolled back
     */
    public function run(array $names, Closure $write, WriterGates $gates): mixed
    {
        $announced = static function (Change $change) use ($names, $write): mixed {
            array_map(static fn(Dependency $name) => $change->name($name), $names);

            return $write($change);
        };
        if ($this->connection === null) {
            $change = $this->opened($gates);
            $made = $announced($change);
            UnfinishedWrite::check($made);
            // The writer may not have called check(), or announced more after it.
            $gates->close($change->names());

            return $made;
        }
        try {
            if ($this->ledger !== null) {
                return $this->ledger->transaction($announced, static function (array $known) use ($gates): void {
                    $gates->close($known);
                    $gates->check();
                });
            }
            $this->connection->beginTransaction();
            $change = $this->opened($gates);
            $made = $this->connection instanceof TrackedConnection
                ? $this->connection->within(static fn(): mixed => $announced($change))
                : $announced($change);
            UnfinishedWrite::check($made);
            $change->check();
            $this->connection->commit();

            return $made;
        } catch (Throwable $exception) {
            // If the rollback fails, a COMMIT may still arrive.
            if ($this->ledger === null ? self::isRolledBack($this->connection) : !$this->connection->inTransaction()) {
                $gates->isRolledBack();
            }
            throw $exception;
        }
    }

    private static function isRolledBack(PDO|TrackedConnection $connection): bool
    {
        try {
            return $connection->inTransaction()
                && ($connection instanceof TrackedConnection ? $connection->takeBack() : $connection->rollBack());
        } catch (Throwable) {
            return false;
        }
    }

    private function opened(WriterGates $gates): Change
    {
        $writes = $this->connection instanceof TrackedConnection ? $this->connection->writes() : null;

        return new Change($this->registry, $writes, static function (Change $change) use ($gates): void {
            $gates->close($change->names());
            $gates->check();
        });
    }
}
