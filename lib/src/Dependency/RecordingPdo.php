<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Exception\InvalidConnection;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\NoTransaction;
use Larder\Exception\UnfinishedWrite;
use PDO;
use PDOException;
use PDOStatement;
use Psr\Log\LoggerInterface;
use SensitiveParameter;
use Throwable;
use WeakReference;

/**
 * The application's own connection. It records what a render reads through it, and what a transaction writes.
 *
 * select() runs one statement with the names that cover it. PDO's other methods work as usual: while a render is
 * recorded, each statement counts as a read of every table in it. A statement that writes, or is not understood, first
 * ends the render's read transaction, so it works as it would without Larder. Then the result is not stored.
 *
 * What is written and not told to a Change counts as a change of these tables in bulk. It is made known before COMMIT,
 * and logged once. A statement that writes outside a transaction gets one of its own. It needs a ledger for that, which
 * a connection of Site::$connect has.
 *
 * Transactions begin with the dialect's begin(), in SQLite IMMEDIATE. Otherwise a transaction that reads first and
 * writes later would fail when another one wrote in between.
 */
class RecordingPdo extends PDO
{
    /** What PDO may be set to, and the words for it. */
    private const ATTRIBUTES = [
        PDO::ATTR_ERRMODE => [[PDO::ERRMODE_EXCEPTION], 'ATTR_ERRMODE', 'ERRMODE_EXCEPTION'],
        PDO::ATTR_CASE => [[PDO::CASE_NATURAL], 'ATTR_CASE', 'CASE_NATURAL'],
        PDO::ATTR_ORACLE_NULLS => [[PDO::NULL_NATURAL], 'ATTR_ORACLE_NULLS', 'NULL_NATURAL'],
        PDO::ATTR_STRINGIFY_FETCHES => [[false, 0], 'ATTR_STRINGIFY_FETCHES', 'false'],
        PDO::ATTR_PERSISTENT => [[false, 0], 'ATTR_PERSISTENT', 'false'],
        PDO::ATTR_STATEMENT_CLASS => [[], 'ATTR_STATEMENT_CLASS', 'left alone, since its own class sees what is read'],
    ];

    private readonly Recorder $recorder;

    private readonly SideEffects $effects;

    private readonly Writes $writes;

    private bool $open = false;

    /** Whether the open transaction may have written. */
    private bool $wrote = false;

    /** Whether Larder's own statement runs. */
    private bool $unrecorded = false;

    private bool $snapshot = false;

    /** Whether the open transaction has seen what the schema lets a statement write to. */
    private bool $knowsSchema = false;

    /** A pattern for the names of declared tables. */
    private readonly string $declared;

    /** Whether the closure of a transaction runs, which must not commit it. */
    private bool $within = false;

    /** @var (Closure(self, list<Dependency>): void)|null makes changes known */
    private ?Closure $announce = null;

    /** @var array<string, true> what was logged */
    private array $said = [];

    /**
     * @param array<int, mixed>    $options of PDO; setAttribute() says which are refused
     * @param LoggerInterface|null $logger  gets a line for each table that was written and not told; null: error_log()
     *
     * @throws InvalidConnection
     * @throws PDOException
     */
    public function __construct(
        #[SensitiveParameter]
        string $dsn,
        private readonly Registry $registry,
        private readonly Dialect $dialect = new SqliteDialect(),
        array $options = [],
        private readonly ?LoggerInterface $logger = null,
    ) {
        foreach ($options as $attribute => $value) {
            self::check($attribute, $value);
        }
        $connection = WeakReference::create($this);
        /** @var Closure(string, list<scalar|null>=): list<array<string, scalar|null>> $select */
        $select = static fn(string $sql, array $parameters = []): array
            => $connection->get()?->quietly($sql, $parameters)->fetchAll(PDO::FETCH_ASSOC) ?? [];
        $names = array_map(static fn(Table $table): string => $table->name, $registry->tables());
        $this->declared = $names === [] ? '/(?!)/' : '/\b(?:' . implode('|', $names) . ')\b/i';
        $this->recorder = new Recorder($dialect);
        $this->effects = new SideEffects($dialect, $select);
        $this->writes = new Writes($registry, $dialect, $this->effects, $select);
        parent::__construct($dsn, null, null, [
            PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
            PDO::ATTR_STATEMENT_CLASS => [RecordingStatement::class],
        ] + $options + [PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC]);
    }

    /**
     * Runs one statement that reads what the names say, and returns all its rows.
     *
     * A name covers its table in this statement. A table that no name covers counts as read whole. If all that a
     * statement is said to read is rows of one table, and it returns another row, the result is not stored.
     *
     * @param array<array-key, scalar|null> $parameters
     *
     * @return list<array<string, scalar|null>>
     */
    public function select(string $sql, array $parameters, Dependency ...$names): array
    {
        $statement = $this->recorder->parsed($sql);
        if ($statement->refusal !== null) {
            /** @var list<array<string, scalar|null>> $rows */
            $rows = $this->run($sql, $parameters)->fetchAll(PDO::FETCH_ASSOC);

            return $rows;
        }
        $reads = $this->recorder->reads();
        $reads?->statement($statement, ...$names);
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $this->guarded(fn(): array => $this->quietly($sql, $parameters)->fetchAll(PDO::FETCH_ASSOC));
        $reads?->rows($statement, $rows, ...$names);

        return $rows;
    }

    /**
     * Runs one statement as prepare() and execute() do; integers, booleans and null are bound as such.
     *
     * @param array<array-key, scalar|null> $parameters
     */
    public function run(string $sql, array $parameters = []): PDOStatement
    {
        $outer = $this->unrecorded;
        $this->unrecorded = $outer || $this->isOwn($sql);
        try {
            $statement = $this->prepare($sql);
            foreach ($parameters as $name => $value) {
                $statement->bindValue(\is_int($name) ? $name + 1 : $name, $value, match (true) {
                    \is_int($value), \is_bool($value) => PDO::PARAM_INT,
                    $value === null => PDO::PARAM_NULL,
                    default => PDO::PARAM_STR,
                });
            }
            if ($this->unrecorded) {
                $statement->setFetchMode(PDO::FETCH_ASSOC);
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
            $this->beginSnapshot($reads);
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

    /** @internal How many recordings were started. */
    public function started(): int
    {
        return $this->recorder->started();
    }

    /** @internal Notes that rows are fetched of a statement that ran when so many recordings were started. */
    public function fetched(int $started): void
    {
        $this->recorder->fetched($started);
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

    /** @internal What the open transaction has written and nobody made known. */
    public function writes(): Writes
    {
        return $this->writes;
    }

    /**
     * @internal Says who makes known what this connection writes: it gets the names inside the transaction, and throws
     * LedgerUnavailable after a rollback.
     *
     * @param Closure(self, list<Dependency>): void $announce
     */
    public function announceBy(Closure $announce): void
    {
        $this->announce = $announce;
    }

    /**
     * @internal Runs the closure of a writer's transaction, which must not end the transaction.
     *
     * @template T
     *
     * @param Closure(): T $write
     *
     * @return T
     *
     * @throws NoTransaction   if the transaction is over all the same
     * @throws UnfinishedWrite if it returns a Generator
     */
    public function within(Closure $write): mixed
    {
        $this->within = true;
        try {
            $made = $write();
        } finally {
            $this->within = false;
        }
        UnfinishedWrite::check($made);

        return $this->open ? $made : throw NoTransaction::isOver();
    }

    /**
     * @internal Logs that a transaction wrote tables and did not tell it, once for each.
     *
     * @param list<Table> $tables
     */
    public function say(array $tables): void
    {
        foreach ($tables as $table) {
            if (isset($this->said[$table->name])) {
                continue;
            }
            $this->said[$table->name] = true;
            $line = \sprintf(
                'Larder: %1$s was written and not told, so every page and value made from it was dropped. Tell it by '
                    . 'Change::update(), insert(), delete() or bulk().',
                $table->name,
            );
            $this->logger === null ? error_log($line) : $this->logger->warning($line);
        }
    }

    public function dialect(): Dialect
    {
        return $this->dialect;
    }

    public function registry(): Registry
    {
        return $this->registry;
    }

    /**
     * @param array<int, mixed> $options
     *
     * @throws InvalidConnection
     */
    public function prepare(string $query, array $options = []): PDOStatement|false
    {
        foreach ($options as $attribute => $value) {
            self::check($attribute, $value);
        }

        return $this->ours(parent::prepare($query, $options));
    }

    public function query(string $query, ?int $fetchMode = null, mixed ...$fetchModeArgs): PDOStatement|false
    {
        $made = false;
        $this->around($query, function () use ($query, $fetchMode, $fetchModeArgs, &$made): PDOStatement|false {
            return $made = parent::query($query, $fetchMode, ...$fetchModeArgs);
        });

        return $this->ours($made);
    }

    public function exec(string $statement): int|false
    {
        $affected = 0;
        foreach ($this->recorder->parsed($statement)->parts ?: [$statement] as $part) {
            $affected = $this->around($part, fn(): int|false => parent::exec($part));
        }

        return $affected;
    }

    /**
     * @throws InvalidConnection for ATTR_ERRMODE, ATTR_CASE, ATTR_ORACLE_NULLS, ATTR_STRINGIFY_FETCHES and
     *     ATTR_PERSISTENT, if it is not the default of PHP 8, and for ATTR_STATEMENT_CLASS
     */
    public function setAttribute(int $attribute, mixed $value): bool
    {
        self::check($attribute, $value);

        return parent::setAttribute($attribute, $value);
    }

    public function beginTransaction(): bool
    {
        if ($this->open) {
            throw new PDOException('There is already an active transaction');
        }
        $this->exec($this->dialect->begin());

        return true;
    }

    /**
     * @throws LedgerUnavailable after a rollback, if what was written could not be made known
     * @throws NoTransaction     inside the closure of a transaction
     */
    public function commit(): bool
    {
        if (!$this->open) {
            throw new PDOException('There is no active transaction');
        }
        $this->ending(true, fn(): int|false => parent::exec('COMMIT'));

        return true;
    }

    public function rollBack(): bool
    {
        if (!$this->open) {
            throw new PDOException('There is no active transaction');
        }
        $this->ending(false, fn(): int|false => parent::exec('ROLLBACK'));

        return true;
    }

    public function inTransaction(): bool
    {
        return $this->open;
    }

    /**
     * @internal Runs a statement, with all that stands around it.
     *
     * @template T
     *
     * @param Closure(): T      $run
     * @param PDOStatement|null $statement that $run executes; null: it returns the number of affected rows, or a
     *     PDOStatement
     *
     * @return T
     */
    public function around(string $sql, Closure $run, ?PDOStatement $statement = null): mixed
    {
        if ($this->unrecorded) {
            return $run();
        }
        $parsed = $this->recorder->parsed($sql);
        $this->recorder->reads()?->statement($parsed);
        if ($parsed->refusal === null) {
            return $this->guarded($run);
        }
        $this->endSnapshot();
        if ($parsed->writes !== []) {
            return $this->written($parsed, $run, $statement);
        }

        return match ($parsed->verb) {
            'begin', 'start' => $this->begun($run),
            'commit', 'end' => $this->ending(true, $run),
            'rollback' => $this->ending(false, $run),
            'rollback to' => $this->guarded($run),
            'savepoint' => $this->open ? $this->unclear($run) : $this->begun($run),
            'release' => $this->released($run),
            default => $this->unclear($run),
        };
    }

    /**
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function written(Statement $parsed, Closure $run, ?PDOStatement $statement): mixed
    {
        if (!$this->open) {
            return $this->within
                ? throw NoTransaction::isOver()
                : $this->autocommitted($parsed, $run, $statement);
        }
        if (!$this->knowsSchema) {
            $this->effects->refresh();
            $this->knowsSchema = true;
        }
        $this->wrote = true;
        $affected = null;
        try {
            $made = $this->guarded($run);
            $affected = match (true) {
                $statement !== null => $statement->rowCount(),
                $made instanceof PDOStatement => $made->rowCount(),
                default => \is_int($made) ? $made : null,
            };

            return $made;
        } finally {
            // Of a statement that failed some rows may stay.
            if ($this->open) {
                $this->writes->note($parsed->writes, $affected, (string) $this->lastInsertId());
            }
        }
    }

    /**
     * Runs a statement that writes outside a transaction. If pages may depend on it, it gets one.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function autocommitted(Statement $parsed, Closure $run, ?PDOStatement $statement): mixed
    {
        $this->effects->refresh();
        $tables = $this->effects->hasLedger() ? $this->writes->tables($parsed->writes) : [];
        if ($tables === []) {
            return $run();
        }
        if (array_filter($parsed->writes ?? [], static fn(Write $write): bool => $write->returns) !== []) {
            return array_filter($tables, fn(string $table): bool => $this->registry->find($table) !== null) === []
                ? $run()
                : throw NoTransaction::toReturnRows();
        }
        $this->beginTransaction();
        try {
            $made = $this->written($parsed, $run, $statement);
            $this->commit();

            return $made;
        } catch (Throwable $exception) {
            if ($this->open) {
                $this->rollBack();
            }
            throw $exception;
        }
    }

    /**
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     *
     * @throws NoTransaction if the one of the closure that runs is over
     */
    private function begun(Closure $run): mixed
    {
        if ($this->within && !$this->open) {
            throw NoTransaction::isOver();
        }
        $made = $run();
        $this->over();
        $this->open = true;

        return $made;
    }

    /**
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     *
     * @throws NoTransaction     inside the closure of a transaction
     * @throws LedgerUnavailable after a rollback
     */
    private function ending(bool $commits, Closure $run): mixed
    {
        if (!$this->open) {
            return $run();
        }
        if ($commits && $this->within) {
            throw NoTransaction::isNotYours();
        }
        if ($commits) {
            $this->tell();
        }
        $made = $this->guarded($run);
        $this->over();

        return $made;
    }

    /**
     * RELEASE commits, if its savepoint began the transaction.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     *
     * @throws LedgerUnavailable after a rollback
     */
    private function released(Closure $run): mixed
    {
        if ($this->open && !$this->within) {
            $this->tell();
        }
        $made = $this->unclear($run);
        $this->look();

        return $made;
    }

    /**
     * Runs a statement that writes no rows and may change what others do.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function unclear(Closure $run): mixed
    {
        $this->wrote = true;
        try {
            return $this->guarded($run);
        } finally {
            $this->effects->forget();
            $this->knowsSchema = false;
        }
    }

    /**
     * Runs a statement. If it fails, the database may have rolled the transaction back.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function guarded(Closure $run): mixed
    {
        try {
            return $run();
        } catch (PDOException $exception) {
            $this->look();
            throw $exception;
        }
    }

    /** Looks whether the transaction is still open: one cannot begin inside another. */
    private function look(): void
    {
        if (!$this->open) {
            return;
        }
        try {
            parent::exec($this->dialect->beginSnapshot());
            parent::exec('ROLLBACK');
        } catch (PDOException $exception) {
            if ($this->dialect->isNested($exception)) {
                return;
            }
        }
        $this->over();
    }

    private function over(): void
    {
        $this->open = $this->wrote = $this->knowsSchema = false;
        $this->writes->reset();
    }

    /**
     * Makes known, right before COMMIT, what was written and not told.
     *
     * @throws LedgerUnavailable after a rollback
     */
    private function tell(): void
    {
        $untold = $this->writes->untold();
        if (($untold === [] && !$this->writes->areUndeclared()) || !$this->effects->hasLedger()) {
            return;
        }
        if ($this->announce !== null) {
            $this->say($untold);
            ($this->announce)($this, array_map(static fn(Table $table): Dependency => $table->all(), $untold));
            $this->writes->clear();
        } elseif ($untold !== []) {
            $this->rollBack();
            throw LedgerUnavailable::unknownTo(implode(', ', array_column($untold, 'name')));
        }
    }

    private function beginSnapshot(RecordedReads $reads): void
    {
        try {
            parent::exec($this->dialect->beginSnapshot());
            $this->snapshot = true;
            // So the state that is seen is one from before the render, also where it reads through something else.
            $this->quietly($this->dialect->firstRead())->fetchAll();
        } catch (PDOException $exception) {
            $reads->refuse('its read transaction could not begin: ' . $exception->getMessage());
            $this->endSnapshot();
        }
    }

    private function endSnapshot(): void
    {
        if ($this->snapshot) {
            $this->snapshot = false;
            try {
                parent::exec('COMMIT');
            } catch (PDOException) {
                // It is over already, and it only read.
            }
        }
    }

    /** @param array<array-key, scalar|null> $parameters */
    private function quietly(string $sql, array $parameters = []): PDOStatement
    {
        $outer = $this->unrecorded;
        $this->unrecorded = true;
        try {
            return $this->run($sql, $parameters);
        } finally {
            $this->unrecorded = $outer;
        }
    }

    /** Whether a statement is one of Larder's on its own tables. They need no parsing, and there are many of them. */
    private function isOwn(string $sql): bool
    {
        return str_contains($sql, Writes::OWN)
            && strpbrk($sql, '\'"`[') === false
            && !str_contains($sql, '--')
            && !str_contains($sql, '/*')
            && preg_match($this->declared, $sql) === 0;
    }

    private function ours(PDOStatement|false $statement): PDOStatement|false
    {
        if ($statement instanceof RecordingStatement) {
            $statement->belongsTo($this, $this->recorder->started());
        }

        return $statement;
    }

    /** @throws InvalidConnection */
    private static function check(int $attribute, mixed $value): void
    {
        [$allowed, $name, $words] = self::ATTRIBUTES[$attribute] ?? [null, '', ''];
        if ($allowed !== null && !\in_array($value, $allowed, true)) {
            throw InvalidConnection::attribute($name, $words);
        }
    }
}
