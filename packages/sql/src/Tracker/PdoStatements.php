<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Exception\NoTransaction;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Drivers;
use Larder\Sql\Schema\Several;
use LogicException;
use PDO;
use PDOException;
use PDOStatement;
use ReflectionMethod;
use WeakReference;

/** @internal Larder's own statements on a PDO. */
class PdoStatements implements OwnStatements
{
    /** @var WeakReference<PDO> */
    private readonly WeakReference $connection;

    /** PDO's own, whatever the connection's class makes of it. A closure of it would keep the connection. */
    private readonly ReflectionMethod $prepare;

    private readonly ReflectionMethod $exec;

    private readonly ReflectionMethod $lastInsertId;

    private readonly ReflectionMethod $inTransaction;

    private readonly bool $hasLastNumber;

    private readonly string $outside;

    /** @var array<int, mixed> of a statement that runs once */
    private readonly array $once;

    /** @param Closure(): PDO $open another connection to the same database */
    public function __construct(
        PDO $connection,
        private readonly Dialect $dialect,
        private readonly TransactionState $state,
        private readonly ?Several $several,
        private readonly Closure $open,
    ) {
        $this->connection = WeakReference::create($connection);
        $this->prepare = new ReflectionMethod(PDO::class, 'prepare');
        $this->exec = new ReflectionMethod(PDO::class, 'exec');
        $this->lastInsertId = new ReflectionMethod(PDO::class, 'lastInsertId');
        $this->inTransaction = new ReflectionMethod(PDO::class, 'inTransaction');
        $this->hasLastNumber = $dialect->hasLastNumber();
        $this->outside = $dialect->outside();
        // A statement of PDO's own, which records nothing.
        $this->once = [PDO::ATTR_STATEMENT_CLASS => [PDOStatement::class]] + $dialect->once();
    }

    public function rows(string $sql, array $parameters = []): array
    {
        $statement = Drivers::executed($this->prepared($sql), $parameters);
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $statement->fetchAll(PDO::FETCH_ASSOC);
        if ($statement->errorCode() !== PDO::ERR_NONE) {
            throw self::cut($statement);
        }

        return $rows;
    }

    public function repeatable(string $sql): array
    {
        $statement = $this->prepared($sql);
        $run = function () use ($statement): array {
            if ($this->hasLastNumber) {
                $this->state->inserted ??= $this->insertedId();
            }
            $statement->execute();
            /** @var list<array<string, scalar|null>> $rows */
            $rows = $statement->fetchAll(PDO::FETCH_ASSOC);
            if ($statement->errorCode() !== PDO::ERR_NONE) {
                throw self::cut($statement);
            }

            return $rows;
        };

        return [$run(), $run];
    }

    public function change(string $sql, array $parameters = []): int
    {
        return Drivers::executed($this->prepared($sql), $parameters)->rowCount();
    }

    public function send(string $sql): int|false
    {
        if ($this->hasLastNumber) {
            $this->state->inserted ??= $this->insertedId();
        }
        $affected = $this->exec->invoke($this->connection->get() ?? self::closed(), $sql);

        return \is_int($affected) ? $affected : false;
    }

    public function together(array $statements): ?array
    {
        if ($this->several === null) {
            return null;
        }
        $text = implode('; ', $statements);
        if ($this->several === Several::WithLastRows) {
            // Only a text that PDO itself fills in may be several statements, of which it tells the last one's rows.
            $statement = $this->prepared($text, [PDO::ATTR_EMULATE_PREPARES => true]);
            $statement->execute();
            /** @var list<array<string, scalar|null>> $rows */
            $rows = $statement->fetchAll(PDO::FETCH_ASSOC);

            return [...array_fill(0, \count($statements) - 1, []), $rows];
        }
        $statement = $this->prepared($text);
        $statement->execute();
        $all = [];
        do {
            /** @var list<array<string, scalar|null>> $rows */
            $rows = $statement->columnCount() === 0 ? [] : $statement->fetchAll(PDO::FETCH_ASSOC);
            $all[] = $rows;
        } while ($statement->nextRowset());

        return $all;
    }

    public function last(array $before, string $sql, array $parameters = []): array
    {
        // Only what PDO has filled in itself goes to the server as it is, with all its statements.
        $statement = $this->prepared(implode('; ', [...$before, $sql]), [PDO::ATTR_EMULATE_PREPARES => true]);
        Drivers::executed($statement, $parameters);
        foreach ($this->several === Several::WithAllRows ? $before : [] as $skipped) {
            $statement->nextRowset();
        }
        /** @var list<array<string, mixed>> $rows */
        $rows = $statement->fetchAll(PDO::FETCH_ASSOC);

        return $rows;
    }

    public function begin(?array $statements = null): void
    {
        if ($this->hasStrayed()) {
            throw NoTransaction::begunPast();
        }
        try {
            array_map($this->send(...), $statements ?? [$this->dialect->begin()]);
        } catch (PDOException $exception) {
            throw $this->dialect->isNested($exception) ? NoTransaction::begunPast() : $exception;
        }
    }

    public function mustAnswer(): void {}

    public function mayEndUnseen(): bool
    {
        return false;
    }

    /** SQLite's driver knows only what its own methods have begun, so that a statement is tried which fails inside. */
    public function isStillOpen(): bool
    {
        if ($this->outside === '') {
            return $this->isServerInTransaction();
        }
        try {
            return $this->send($this->outside) === false;
        } catch (PDOException) {
            return true;
        }
    }

    public function hasStrayed(): bool
    {
        return $this->outside === '' && !$this->state->open && $this->isServerInTransaction();
    }

    public function beginsByItself(): bool
    {
        return $this->state->isImplicit;
    }

    public function lastId(): int
    {
        return (int) $this->insertedId();
    }

    public function insertedId(): string
    {
        $number = $this->lastInsertId->invoke($this->connection->get() ?? self::closed());

        return \is_string($number) ? $number : '';
    }

    public function isServerInTransaction(): bool
    {
        $connection = $this->state->snapshot ? null : $this->connection->get();

        return $connection !== null && $this->inTransaction->invoke($connection) === true;
    }

    public function isUnbuffered(): bool
    {
        return $this->dialect->isUnbuffered($this->connection->get() ?? self::closed());
    }

    public function another(): Closure
    {
        return $this->open;
    }

    public function dialect(): Dialect
    {
        return $this->dialect;
    }

    /**
     * lastInsertId() is noted before a statement of Larder's own, if the driver forgets it by any other statement.
     *
     * @param array<int, mixed>|null $options null: of a statement that runs once
     */
    private function prepared(string $sql, ?array $options = null): PDOStatement
    {
        if ($this->hasLastNumber) {
            $this->state->inserted ??= $this->insertedId();
        }
        $statement = $this->prepare->invoke(
            $this->connection->get() ?? self::closed(),
            $sql,
            $options === null ? $this->once : $options + [PDO::ATTR_STATEMENT_CLASS => [PDOStatement::class]],
        );

        return $statement instanceof PDOStatement
            ? $statement
            : throw new LogicException('A failure is an exception.');
    }

    /** What PDO's fetchAll() does not throw: it returns the rows before the one that failed. */
    private static function cut(PDOStatement $statement): PDOException
    {
        $info = $statement->errorInfo();
        $message = \is_string($info[2] ?? null) ? $info[2] : 'a row failed';
        $exception = new PDOException(\sprintf('SQLSTATE[%s]: %s', $statement->errorCode(), $message));
        $exception->errorInfo = $info;

        return $exception;
    }

    /** @throws PDOException always */
    private static function closed(): never
    {
        throw new PDOException('The connection is closed.');
    }
}
