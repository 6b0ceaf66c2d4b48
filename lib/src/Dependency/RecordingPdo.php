<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Exception\UnsupportedDatabase;
use PDO;
use PDOException;
use PDOStatement;
use SensitiveParameter;
use WeakReference;

/**
 * The application's own connection. It records what a render reads through it.
 *
 * select() runs one statement with the names that cover it. PDO's other methods work as usual: while a render is
 * recorded, each statement counts as a read of every table in it. A statement that writes, or is not understood, first
 * ends the render's read transaction, so it works as it would without Larder. Then the result is not stored.
 *
 * Transactions begin with the dialect's begin(), in SQLite IMMEDIATE. Otherwise a transaction that reads first and
 * writes later would fail when another one wrote in between.
 */
class RecordingPdo extends PDO
{
    private Recorder $recorder;

    private bool $open = false;

    /** Whether the open transaction may have written. */
    private bool $wrote = false;

    /** Whether Larder's own statement runs. */
    private bool $unrecorded = false;

    private bool $snapshot = false;

    /**
     * @param array<int, mixed> $options of PDO; persistent connections cannot be recorded
     *
     * @throws UnsupportedDatabase if the DSN is of another database than the dialect
     */
    public function __construct(
        #[SensitiveParameter]
        string $dsn,
        private readonly Registry $registry,
        private readonly Dialect $dialect = new SqliteDialect(),
        array $options = [],
    ) {
        $driver = strstr($dsn, ':', true);
        // The others are an alias in php.ini and a file with the DSN.
        if ($driver !== false && $driver !== 'uri' && $driver !== $dialect->driver()) {
            throw UnsupportedDatabase::of($driver, $dialect->driver());
        }
        $this->recorder = new Recorder($dialect);
        try {
            parent::__construct($dsn, null, null, $options + [
                PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
                PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC,
            ]);
        } catch (PDOException $exception) {
            throw $dialect->unopened($dsn, $exception);
        }
        $connection = WeakReference::create($this);
        $record = static function (string $sql) use ($connection): void {
            $connection->get()?->note($sql);
        };
        $this->setAttribute(PDO::ATTR_STATEMENT_CLASS, [RecordingStatement::class, [$record]]);
    }

    /**
     * Runs one statement that reads what the names say, and returns all its rows.
     *
     * A name covers its table in this statement. A table that no name covers counts as read whole.
     *
     * @param array<array-key, scalar|null> $parameters
     *
     * @return list<array<string, scalar|null>>
     */
    public function select(string $sql, array $parameters, Dependency ...$names): array
    {
        $this->note($sql, ...$names);
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $this->run($sql, $parameters)->fetchAll(PDO::FETCH_ASSOC);

        return $rows;
    }

    /**
     * @internal Runs a statement without recording it.
     *
     * @param array<array-key, scalar|null> $parameters
     */
    public function run(string $sql, array $parameters = []): PDOStatement
    {
        $outer = $this->unrecorded;
        $this->unrecorded = true;
        try {
            $statement = $this->prepare($sql);
            foreach ($parameters as $name => $value) {
                $statement->bindValue(\is_int($name) ? $name + 1 : $name, $value, match (true) {
                    \is_int($value), \is_bool($value) => PDO::PARAM_INT,
                    $value === null => PDO::PARAM_NULL,
                    default => PDO::PARAM_STR,
                });
            }
            $statement->execute();

            return $statement;
        } finally {
            $this->unrecorded = $outer;
        }
    }

    /**
     * @internal Runs $make in one read transaction and records what it reads. Then it runs $end in that transaction, if
     * $make did not end it. A call within $make uses the transaction that is open.
     *
     * @template T
     *
     * @param Closure(): T    $make
     * @param Closure(): void $end
     *
     * @return T
     */
    public function snapshot(RecordedReads $reads, Closure $make, Closure $end): mixed
    {
        $outer = $this->recorder->reads() !== null;
        if ($this->open) {
            $reads->refuse('a transaction was open before the render began');
        } elseif (!$outer) {
            parent::exec($this->dialect->beginSnapshot());
            $this->snapshot = true;
        } elseif (!$this->snapshot) {
            $reads->refuse('the read transaction around it is over');
        }
        try {
            $made = $this->record($reads, $make);
            if ($this->snapshot) {
                $end();
            }

            return $made;
        } finally {
            if (!$outer) {
                $this->endSnapshot();
            }
        }
    }

    /**
     * @internal Runs $make and records what it reads, in or without a transaction.
     *
     * @template T
     *
     * @param Closure(): T $make
     *
     * @return T
     */
    public function record(RecordedReads $reads, Closure $make): mixed
    {
        $this->recorder->start($reads);
        try {
            return $make();
        } finally {
            $this->recorder->stop();
        }
    }

    /** @internal The reads of the innermost result that is being recorded. */
    public function recorded(): ?RecordedReads
    {
        return $this->recorder->reads();
    }

    /** @internal Whether the read transaction of a render or of a value is open. */
    public function inSnapshot(): bool
    {
        return $this->snapshot;
    }

    /** Whether the open transaction may have changed data: a statement ran in it that may be no SELECT. */
    public function wrote(): bool
    {
        return $this->open && $this->wrote;
    }

    /**
     * @internal Reads a row of a declared table by its key, under the write lock if the transaction holds it.
     *
     * @return array<string, scalar|null>|null the declared columns
     */
    public function row(Table $table, int|string $key): ?array
    {
        $row = $this->run(\sprintf(
            'SELECT %s FROM %s WHERE %s = ?',
            implode(', ', array_map($this->dialect->quote(...), array_keys($table->columns))),
            $this->dialect->quote($table->name),
            $this->dialect->quote($table->key),
        ), [$key])->fetch();

        /** @var array<string, scalar|null>|false $row */
        return $row === false ? null : $row;
    }

    public function dialect(): Dialect
    {
        return $this->dialect;
    }

    public function registry(): Registry
    {
        return $this->registry;
    }

    public function query(string $query, ?int $fetchMode = null, mixed ...$fetchModeArgs): PDOStatement|false
    {
        $this->note($query);

        return parent::query($query, $fetchMode, ...$fetchModeArgs);
    }

    public function exec(string $statement): int|false
    {
        $this->note($statement);
        $affected = parent::exec($statement);
        if (preg_match(
            '/^\s*(BEGIN|START|COMMIT|END|ROLLBACK)\b(?!\s+(TRANSACTION\s+)?TO\b)/i',
            $statement,
            $matches,
        ) === 1) {
            $this->open = \in_array(strtoupper($matches[1]), ['BEGIN', 'START'], true);
            $this->wrote = false;
        }

        return $affected;
    }

    public function beginTransaction(): bool
    {
        if ($this->open) {
            throw new PDOException('There is already an active transaction');
        }
        $this->exec($this->dialect->begin());

        return true;
    }

    public function commit(): bool
    {
        return $this->end('COMMIT');
    }

    public function rollBack(): bool
    {
        return $this->end('ROLLBACK');
    }

    public function inTransaction(): bool
    {
        return $this->open;
    }

    private function end(string $statement): bool
    {
        if (!$this->open) {
            throw new PDOException('There is no active transaction');
        }
        parent::exec($statement);
        $this->open = false;

        return true;
    }

    private function note(string $sql, Dependency ...$names): void
    {
        if ($this->open && !$this->wrote) {
            $this->wrote = !$this->recorder->isRead($sql);
        }
        if (!$this->unrecorded && !$this->recorder->statement($sql, ...$names)) {
            $this->endSnapshot();
        }
    }

    private function endSnapshot(): void
    {
        if ($this->snapshot) {
            $this->snapshot = false;
            parent::exec('COMMIT');
        }
    }
}
