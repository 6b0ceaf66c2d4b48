<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\DataSource;
use Larder\Dependency\Name;
use Larder\Exception\NoTransaction;
use Larder\Sql\Exception\InvalidConnection;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Exception\UnsupportedDatabase;
use Larder\Sql\Reading\Write;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Drivers;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Schema;
use Larder\Sql\Schema\Several;
use LogicException;
use PDO;
use PDOException;
use PDOStatement;
use Psr\Log\LoggerInterface;
use SensitiveParameter;
use Throwable;

/**
 * The application's own connection. It records what a render reads through it, and what a transaction writes.
 *
 * PDO's methods work as usual, and answer for the application's statement though Larder's own ran behind it; the few
 * answers that differ are listed in docs/how-to/mariadb-and-postgresql.md.
 *
 * While a render is recorded, each statement counts as a read of what its own equalities narrow its tables to:
 * `WHERE id = 4` reads the row news:4, `WHERE category = 'net'` the set news?category=net if that is declared, all else
 * the whole table. A statement that writes, or is not understood, first ends the render's read transaction, so it works
 * as it would without Larder. Then the result is not stored.
 *
 * registry() has what was declared and every other ordinary table of the database, as its schema says, with the column
 * sets that were learned from the statements of earlier renders.
 *
 * The rows that a statement writes are read before it and after it, and named; what cannot be followed so counts as a
 * change of its table in bulk, and is logged once. All is made known before COMMIT. A statement that writes outside a
 * transaction gets one of its own. It needs a ledger for that, which a connection of Pages::connect() has.
 *
 * Transactions begin with the dialect's begin(), in SQLite IMMEDIATE. Otherwise a transaction that reads first and
 * writes later would fail when another one wrote in between.
 */
class RecordingPdo extends PDO implements TrackedConnection
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

    /** What errorInfo() says where nothing is wrong. */
    private const NONE = ['00000', null, null];

    private readonly string $driver;

    /**
     * What errorInfo() says of the application's last statement, though Larder's own ran behind it.
     *
     * @var array{string, int|string|null, string|null}
     */
    private array $error = ['', null, null];

    /** Made by dialect(), as the tracker is by tracker(): a request that sends no statement loads neither. */
    private ?Dialect $dialect = null;

    private ?Tracker $tracker = null;

    /** @var Closure(self, Dialect): Tracker */
    private readonly Closure $make;

    /** @var (Closure(TrackedDatabase): Announcer)|null */
    private ?Closure $announcer = null;

    /**
     * @param Registry             $registry tables that are declared; the others are as the database's schema has them
     * @param array<int, mixed>    $options of PDO; setAttribute() says which are refused
     * @param LoggerInterface|null $logger  gets a line for each table that counts as changed in bulk, and each cause;
     *     null: PHP's error_log, one line a minute and table
     * @param bool                 $keepsSecond whether Larder's own connection to a server stays open for the next
     *     requests of the same PHP process, as PDO::ATTR_PERSISTENT does it: to connect is a good part of what a miss
     *     costs on PostgreSQL. Each process then has one that is idle. Of no effect on the command line
     *
     * @throws InvalidConnection
     * @throws UnsupportedDatabase
     * @throws PDOException
     */
    public function __construct(
        #[SensitiveParameter]
        string $dsn,
        Registry $registry = new Registry(),
        array $options = [],
        ?LoggerInterface $logger = null,
        ?string $user = null,
        #[SensitiveParameter]
        ?string $password = null,
        bool $keepsSecond = false,
    ) {
        $driver = strstr($dsn, ':', true);
        // The others are an alias in php.ini and a file with the DSN.
        if ($driver !== false && $driver !== 'uri' && !\in_array($driver, Drivers::NAMES, true)) {
            throw UnsupportedDatabase::of($driver, 'SQLite, MariaDB and PostgreSQL');
        }
        $this->driver = (string) $driver;
        foreach ($options as $attribute => $value) {
            self::check($attribute, $value);
        }
        $open = static fn(Dialect $dialect): PDO => new PDO($dsn, $user, $password, [
            PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
        ] + array_intersect_key($options, array_flip($dialect->options()))
            // Under a name of its own, since nobody else may use it. A program may fork, and its child would too.
            + ($keepsSecond && PHP_SAPI !== 'cli' ? [PDO::ATTR_PERSISTENT => 'larder'] : []));
        $this->make = static function (self $connection, Dialect $dialect) use (
            $dsn,
            $user,
            $options,
            $registry,
            $logger,
            $open,
        ): Tracker {
            $first = $dialect->first($options);
            $state = new TransactionState();
            $own = $connection->ownStatements($state, $dialect->several($options), static fn(): PDO => $open($dialect));
            $account = static fn(): string => hash('xxh128', $dsn . "\0" . $user . "\0" . $first);

            return new Tracker($own, $state, $registry, $logger, $account);
        };
        try {
            parent::__construct($dsn, $user, $password, [
                PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
            ] + $options);
        } catch (PDOException $exception) {
            throw $this->dialect()->unopened($dsn, $exception);
        }
    }

    /**
     * Runs one statement, and returns all its rows.
     *
     * A name covers its table in this statement. What is read of the other tables is seen in the statement itself. If
     * all that a statement is said to read is rows of one table, and it returns another row, the result is not stored.
     *
     * @param array<array-key, scalar|null> $parameters
     *
     * @return list<array<string, scalar|null>>
     */
    public function select(string $sql, array $parameters = [], Name ...$names): array
    {
        $tracker = $this->tracker();
        $tracker->meet();
        $tracker->ask($sql);
        $recorder = $tracker->recorder;
        $reads = $recorder->innermost;
        $statement = $reads === null && $recorder->isPlain($sql) ? null : $recorder->parsed($sql);
        if ($statement?->refusal !== null) {
            /** @var list<array<string, scalar|null>> $rows */
            $rows = $this->run($sql, $parameters)->fetchAll(PDO::FETCH_ASSOC);

            return $rows;
        }
        try {
            if ($statement !== null) {
                $reads?->statement($statement, self::sent($parameters), ...$names);
            }
            $rows = $tracker->own->rows($sql, $parameters);
            $tracker->transaction()->follow();
        } catch (Throwable $exception) {
            $tracker->failed($exception);
            throw $exception;
        }
        if ($statement !== null) {
            $reads?->rows($statement, $rows, ...$names);
        }

        return $rows;
    }

    /**
     * Runs one statement as prepare() and execute() do; integers, booleans and null are bound as such.
     *
     * @param array<array-key, scalar|null> $parameters
     *
     * @throws LedgerUnavailable after a rollback, if what it writes could not be made known
     * @throws NoTransaction     if it cannot run here: see the message
     * @throws PDOException
     */
    public function run(string $sql, array $parameters = []): PDOStatement
    {
        return Drivers::executed($this->prepare($sql), $parameters);
    }

    /** @internal */
    public function source(?Closure $inTransaction = null): DataSource
    {
        return new TrackedSource($this, $this->tracker(), $inTransaction);
    }

    /** Whether the open transaction may have changed data: a statement ran in it that may be no SELECT. */
    public function wrote(): bool
    {
        return $this->tracker()->wrote();
    }

    /** @internal */
    public function own(): OwnStatements
    {
        return $this->tracker()->own;
    }

    /** @internal */
    public function tracker(): Tracker
    {
        return $this->tracker ?? $this->track();
    }

    /** @internal */
    public function announceBy(Closure $make): void
    {
        $this->announcer = $make;
        $this->tracker?->announceBy($make);
    }

    /** The declared tables, and those of the database's schema. */
    public function registry(): Registry
    {
        return $this->tracker()->registry();
    }

    /**
     * The number of the row that was inserted last, as PDO says. Larder's own statements do not change it.
     *
     * @throws PDOException
     */
    public function lastInsertId(?string $name = null): string|false
    {
        $this->error = self::NONE;
        try {
            return $this->tracker()->inserted() ?? parent::lastInsertId($name);
        } catch (PDOException $exception) {
            $this->error = self::errorOf($exception);
            // PostgreSQL's driver asks by a query, whose failure ends a transaction.
            $this->tracker()->failed($exception);
            throw $exception;
        }
    }

    public function errorCode(): ?string
    {
        return $this->error[0] === '' ? null : $this->error[0];
    }

    /** @return array{string, int|string|null, string|null} */
    public function errorInfo(): array
    {
        return $this->error;
    }

    /** @internal */
    public function dialect(): Dialect
    {
        return $this->dialect ??= $this->dialectOf($this->driver);
    }

    /**
     * @param array<array-key, mixed> $options
     *
     * @throws InvalidConnection
     */
    public function prepare(string $query, array $options = []): PDOStatement
    {
        foreach ($options as $attribute => $value) {
            self::check((int) $attribute, $value);
        }

        $class = [PDO::ATTR_STATEMENT_CLASS => [RecordingStatement::class]];
        $this->error = self::NONE;
        try {
            return $this->ours(parent::prepare($query, $class + $options), PHP_INT_MAX);
        } catch (Throwable $exception) {
            $this->error = self::errorOf($exception);
            $this->tracker()->recorder->failed($exception);
            throw $exception;
        }
    }

    /**
     * @throws LedgerUnavailable after a rollback, if what it writes could not be made known
     * @throws NoTransaction     if it cannot run here: see the message
     * @throws PDOException
     */
    public function query(string $query, ?int $fetchMode = null, mixed ...$fetchModeArgs): PDOStatement
    {
        $tracker = $this->tracker();
        parent::setAttribute(PDO::ATTR_STATEMENT_CLASS, [RecordingStatement::class]);
        if (!$tracker->passes($query)) {
            $run = fn(): PDOStatement|false => parent::query($query, $fetchMode, ...$fetchModeArgs);
            $statement = $this->around($query, $run);
        } else {
            $this->error = self::NONE;
            try {
                $statement = parent::query($query, $fetchMode, ...$fetchModeArgs);
            } catch (Throwable $exception) {
                $this->error = self::errorOf($exception);
                $tracker->failed($exception);
                throw $exception;
            }
            if ($statement !== false) {
                $tracker->passed($statement);
            }
        }

        return $this->ours($statement, $tracker->recorder->started());
    }

    /**
     * Runs one statement, or several.
     *
     * @throws LedgerUnavailable after a rollback, if what it writes could not be made known
     * @throws NoTransaction     if it cannot run here: see the message
     * @throws PDOException
     */
    public function exec(string $statement): int|false
    {
        $tracker = $this->tracker();
        $tracker->ask($statement);
        $affected = 0;
        $parts = $tracker->recorder->parsed($statement)->parts;
        if ($parts !== [] && $this->dialect()->several() !== null) {
            return $this->together($statement, array_values(array_filter(
                $parts,
                static fn(string $part): bool => trim($part) !== '',
            )));
        }
        foreach ($parts === [] ? [$statement] : $parts as $part) {
            $affected = $this->around($part, fn(): int|false => $this->executed($part));
        }

        return $affected;
    }

    /** MariaDB lets no other statement run before the rows of one are read, which PDO's exec() leaves. It counts 0. */
    private function executed(string $sql): int|false
    {
        $parsed = $this->tracker()->recorder->parsed($sql);
        $returns = array_filter($parsed->writes ?? [], static fn(Write $write): bool => $write->returns);
        $mayReturn = $returns !== [] || \in_array($parsed->verb, ['select', 'analyze', 'with', 'values'], true);
        if (!$mayReturn || !$this->dialect()->leavesRows()) {
            return parent::exec($sql);
        }
        $statement = parent::query($sql);
        if ($statement !== false) {
            $statement->closeCursor();
        }

        return 0;
    }

    /**
     * Runs a text of several statements as a server does: PostgreSQL in one transaction, MariaDB one by one.
     *
     * @param list<string> $parts
     *
     * @return int|false what the first has changed in MariaDB, the last one in PostgreSQL
     */
    private function together(string $text, array $parts): int|false
    {
        $tracker = $this->tracker();
        $isOne = $this->dialect()->runsAsOne();
        $verbs = array_map(static fn(string $part): string => $tracker->recorder->parsed($part)->verb, $parts);
        $control = array_intersect(
            $verbs,
            ['begin', 'commit', 'rollback', 'rollback to', 'savepoint', 'release', 'two phases'],
        );
        // The body of a routine has statements of its own.
        if (Tracker::isRoutine($text)) {
            return $this->around($text, fn(): int|false => parent::exec($text));
        }
        $refused = $tracker->refusedOf($parts);
        $parts = $refused === null ? $parts : [$refused];
        $isAlone = $isOne && $control === [] && !$this->transaction()->isOpen();
        $affected = [];
        if ($isAlone) {
            $this->exec('BEGIN');
        }
        try {
            foreach ($parts as $part) {
                $affected[] = $this->around($part, fn(): int|false => $this->executed($part));
            }
            if ($isAlone) {
                $this->exec('COMMIT');
            }
        } catch (PDOException|LedgerUnavailable $exception) {
            $error = $this->error;
            if ($isAlone && $this->inTransaction()) {
                $this->exec('ROLLBACK');
            }
            $this->error = $error;
            throw $exception;
        }

        return $affected === [] ? 0 : $affected[$isOne ? \count($affected) - 1 : 0];
    }

    /**
     * @throws InvalidConnection for ATTR_ERRMODE, ATTR_CASE, ATTR_ORACLE_NULLS, ATTR_STRINGIFY_FETCHES and
     *     ATTR_PERSISTENT, if it is not the default of PHP 8, and for ATTR_STATEMENT_CLASS
     */
    public function setAttribute(int $attribute, mixed $value): bool
    {
        self::check($attribute, $value);
        if ($attribute !== PDO::ATTR_AUTOCOMMIT || $this->dialect()->session() === '') {
            return parent::setAttribute($attribute, $value);
        }
        $this->tracker()->asksAgain();

        return $this->transaction()->ending(fn(): bool => parent::setAttribute($attribute, $value));
    }

    /**
     * COPY by this method passes Larder by.
     *
     * @param array<array-key, mixed> $rows
     *
     * @throws NoTransaction always
     */
    public function pgsqlCopyFromArray(
        mixed $tableName,
        mixed $rows,
        mixed $separator = null,
        mixed $nullAs = null,
        mixed $fields = null,
    ): never {
        throw NoTransaction::byCopy();
    }

    /**
     * COPY by this method passes Larder by.
     *
     * @throws NoTransaction always
     */
    public function pgsqlCopyFromFile(
        mixed $tableName,
        mixed $filename,
        mixed $separator = null,
        mixed $nullAs = null,
        mixed $fields = null,
    ): never {
        throw NoTransaction::byCopy();
    }

    /** Looks for a transaction that was ended past this connection, since nothing comes after it. */
    public function __destruct()
    {
        $this->tracker?->leave();
    }

    public function beginTransaction(): bool
    {
        $this->tracker()->begin();

        return true;
    }

    /**
     * @throws LedgerUnavailable after a rollback, if what was written could not be made known
     * @throws NoTransaction     inside the closure of a transaction
     */
    public function commit(): bool
    {
        return $this->tracker()->ended('COMMIT');
    }

    public function rollBack(): bool
    {
        return $this->tracker()->ended('ROLLBACK');
    }

    /** @internal */
    public function takeBack(): bool
    {
        return $this->rollBack();
    }

    public function inTransaction(): bool
    {
        return $this->transaction()->isOpen();
    }

    /** @internal An heir may have one that sends its statements otherwise. */
    protected function dialectOf(string $driver): Dialect
    {
        return Drivers::dialect($driver);
    }

    /**
     * @internal Makes what runs Larder's own statements.
     *
     * @param Closure(): PDO $open another connection to the same database
     */
    protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
    {
        return new PdoStatements($this, $this->dialect(), $state, $several, $open);
    }

    protected function transaction(): Transaction
    {
        return $this->tracker()->transaction();
    }

    /**
     * @param array<array-key, scalar|null> $parameters of run()
     *
     * @return Closure(int, string|null): (array{int|string|null}|null) what the database gets as the value of one
     */
    private static function sent(array $parameters): Closure
    {
        $sent = [];
        foreach ($parameters as $name => $value) {
            $sent[\is_int($name) ? $name + 1 : ':' . strtolower(ltrim($name, ':'))] = $value;
        }

        return static function (int $position, ?string $name) use ($sent): ?array {
            $found = array_intersect_key($sent, [$position => true, $name ?? $position => true]);
            $value = \count($found) === 1 ? array_values($found)[0] : null;

            return \is_int($value) || \is_string($value) ? [$value] : null;
        };
    }

    /**
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     *
     * @throws LedgerUnavailable
     * @throws PDOException
     */
    private function around(string $sql, Closure $run): mixed
    {
        $this->error = self::NONE;
        try {
            return $this->tracker()->around($sql, $run);
        } catch (PDOException $exception) {
            $this->error = self::errorOf($exception);
            throw $exception;
        }
    }

    /** @return array{string, int|string|null, string|null} */
    private static function errorOf(Throwable $exception): array
    {
        if (!$exception instanceof PDOException) {
            return self::NONE;
        }
        [$state, $number, $message] = ($exception->errorInfo ?? []) + [$exception->getCode(), null, null];

        return [
            \is_string($state) ? $state : 'HY000',
            \is_int($number) || \is_string($number) ? $number : null,
            \is_string($message) ? $message : null,
        ];
    }

    private function track(): Tracker
    {
        $this->tracker = ($this->make)($this, $this->dialect());
        if ($this->announcer !== null) {
            $this->tracker->announceBy($this->announcer);
        }

        return $this->tracker;
    }

    /** @param int $started how many recordings were started when it ran; PHP_INT_MAX: it did not run */
    private function ours(PDOStatement|false $statement, int $started): RecordingStatement
    {
        if (!$statement instanceof RecordingStatement) {
            throw new LogicException('A failure is an exception, and the class of statements cannot be changed.');
        }
        $tracker = $this->tracker();
        $statement->belongsTo($tracker, $tracker->recorder, $started);

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
