<?php

declare(strict_types=1);

namespace Larder\Tests\Sql\Locking;

use Closure;
use Fiber;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\MariaDbDialect;
use Larder\Sql\Schema\PostgreSqlDialect;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\TransactionState;
use PDO;
use PDOException;

/** The application's connection of one process. In a fiber it suspends before what another process could notice. */
final class SteppedWriter extends Writer
{
    public const BLOCKED = 'blocked';

    private ?SteppedPdo $pdo = null;

    private bool $isCommitted = false;

    /** @param array{string, string, string} $database dsn, user, password */
    public function __construct(private readonly array $database, Registry $registry)
    {
        [$dsn, $user, $password] = $database;
        parent::__construct($dsn, $registry, user: $user, password: $password);
        PDO::exec($this->impatience());
    }

    /** The second connection sends one statement after the other, each of which is a step. */
    protected function dialectOf(string $driver): Dialect
    {
        return $this->isPostgreSql()
            ? new PostgreSqlDialect(takesSeveral: false, patience: '2ms')
            : new MariaDbDialect(takesSeveral: false);
    }

    /** What a server does when a process dies. */
    public function vanish(): void
    {
        if ($this->pdo?->inTransaction() === true) {
            $this->pdo->rollBack();
        }
        $this->inTransaction() ? $this->rollBack() : PDO::exec('ROLLBACK');
    }

    public function commit(): bool
    {
        SteppedPdo::step('COMMIT');
        // What it cleans up after it, nobody needs.
        $pdo = $this->pdo ?? new SteppedPdo('sqlite::memory:');
        $pdo->isQuiet = true;
        try {
            $made = parent::commit();
            $this->isCommitted = true;

            return $made;
        } finally {
            $pdo->isQuiet = false;
        }
    }

    public function hasCommitted(): bool
    {
        return $this->isCommitted;
    }

    public function restart(): void
    {
        $this->isCommitted = false;
    }

    /**
     * @template T
     *
     * @param Closure(): T $do
     *
     * @return T
     */
    public function stepped(string $sql, Closure $do): mixed
    {
        $isLock = str_contains($sql, 'larder_raise')
            || (str_contains($sql, 'pg_advisory') && !str_contains($sql, '{' . Dialect::SETS . '}'));
        if (Fiber::getCurrent() === null || !$isLock) {
            return $do();
        }
        $isSaved = $this->isPostgreSql();
        $isSeparate = $isSaved && str_starts_with($sql, 'INSERT');
        if (!$isSeparate && !str_starts_with($sql, 'SELECT l.')) {
            SteppedPdo::step('raise');
        }
        while (true) {
            if ($isSaved) {
                PDO::exec('SAVEPOINT step');
            }
            try {
                return $do();
            } catch (PDOException $exception) {
                if (!$this->dialect()->isBusy($exception)) {
                    throw $exception;
                }
                if ($isSaved) {
                    PDO::exec('ROLLBACK TO step');
                }
                Fiber::suspend(self::BLOCKED);
            }
        }
    }

    private function impatience(): string
    {
        return $this->isPostgreSql() ? "SET lock_timeout = '2ms'" : 'SET innodb_lock_wait_timeout = 0';
    }

    private function isPostgreSql(): bool
    {
        return str_starts_with($this->database[0], 'pgsql:');
    }

    protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
    {
        $open = function (): PDO {
            [$dsn, $user, $password] = $this->database;

            return $this->pdo = new SteppedPdo($dsn, $user, $password);
        };

        return new SteppedStatements($this, $this->dialect(), $state, $several, $open);
    }
}
