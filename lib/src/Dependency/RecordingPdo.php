<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Dependency\Sql\MariaDbGrammar;
use Larder\Dependency\Sql\PostgreSqlGrammar;
use Larder\Exception\InvalidConnection;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\NoTransaction;
use Larder\Exception\UnsupportedDatabase;
use LogicException;
use PDO;
use PDOException;
use PDOStatement;
use Psr\Log\LoggerInterface;
use SensitiveParameter;
use WeakMap;
use WeakReference;

/**
 * The application's own connection. It records what a render reads through it, and what a transaction writes.
 *
 * PDO's methods work as usual. While a render is recorded, each statement counts as a read of what its own equalities
 * narrow its tables to: `WHERE id = 4` reads the row news:4, `WHERE category = 'net'` the set news?category=net if that
 * is declared, all else the whole table. A statement that writes, or is not understood, first ends the render's read
 * transaction, so it works as it would without Larder. Then the result is not stored.
 *
 * registry() has what was declared and every other ordinary table of the database, as its schema says, with the column
 * sets that were learned from the statements of earlier renders.
 *
 * The rows that a statement writes are read before it and after it, and named; what cannot be followed so counts as a
 * change of its table in bulk, and is logged once. All is made known before COMMIT. A statement that writes outside a
 * transaction gets one of its own. It needs a ledger for that, which a connection of Site::$connect has.
 *
 * Transactions begin with the dialect's begin(), in SQLite IMMEDIATE. Otherwise a transaction that reads first and
 * writes later would fail when another one wrote in between.
 */
class RecordingPdo extends PDO implements Connection
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

    /**
     * What a server's session says that decides how statements are read: `mode`, how texts are; `home`, where a table
     * is looked for, and by whom; `auto`, 0 if a transaction begins by itself; `charset`; `hidden`, the temporary
     * tables, as far as they can be known; `functions`, those that may have a name of the server's own; `schema`.
     */
    private const SESSIONS = [
        'mysql' => "SELECT @@SESSION.sql_mode AS mode, COALESCE(DATABASE(), '') AS home, @@SESSION.autocommit AS auto,"
            . " @@SESSION.character_set_client AS charset, '' AS hidden, '' AS functions, '' AS `schema`",
        'pgsql' => "SELECT current_setting('standard_conforming_strings') AS mode, concat_ws('/', current_schema(),"
            . " current_setting('search_path'), current_user) AS home, 1 AS auto, 'utf8' AS charset, COALESCE((SELECT"
            . " string_agg(relname, ',') FROM pg_class WHERE relnamespace = pg_my_temp_schema() AND relkind IN ('r',"
            . " 'v', 'S', 'p')), '') AS hidden, COALESCE((SELECT string_agg(DISTINCT lower(proname), ',') FROM pg_proc"
            . " WHERE pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)), '') AS"
            . ' functions,'
            . " COALESCE(current_schema(), '') AS schema",
    ];

    /** With another one, bytes of a text are read otherwise than here. */
    private const CHARSETS = ['utf8', 'utf8mb3', 'utf8mb4', 'latin1', 'ascii', 'binary'];

    /** A text whose `;` may stand inside one statement. */
    private const ROUTINE = '/\b(?:create|alter|atomic)\b[^;]*\b(?:procedure|function|trigger|event|package|begin)\b'
        . '|\bbegin\s+not\b/i';

    /** A word where a table can stand. Only `main` can stand before it with a dot, and no column can. */
    private const PLACE_OF_TABLE = '/(?:\b(?:from|join|into|update|in|main\s*\.)|[,(])\s*'
        . '(?!select\b|pragma_)([a-z_\x80-\xff][\w$\x80-\xff]*+)(?!\s*\.)/i';

    private Dialect $dialect;

    private Recorder $recorder;

    private Writes $writes;

    private Transaction $transaction;

    private Registry $registry;

    private Schema $schema;

    /** Whether Larder's own statement runs. */
    private bool $unrecorded = false;

    private bool $snapshot = false;

    /** Whether the server was asked for what decides how its session reads statements. */
    private bool $isAsked = false;

    /** Whether a statement of the open transaction changed that, which a rollback would take back. */
    private bool $isUnsettled = false;

    /** What `home` was at first. */
    private ?string $home = null;

    private bool $isElsewhere = false;

    /** What lastInsertId() was, since Larder's own statements ran after the application's; null: none did. */
    private ?string $inserted = null;

    private ?SecondConnection $second = null;

    /** @var Closure(): PDO opens another connection to the same database */
    private Closure $open;

    /** @var WeakMap<PDOStatement, true> that were run, and may not have been read to their end */
    private WeakMap $statements;

    /**
     * @param Registry             $registry tables that are declared; the others are as the database's schema has them
     * @param Dialect|null         $dialect of the database; null: by the DSN
     * @param array<int, mixed>    $options of PDO; setAttribute() says which are refused
     * @param LoggerInterface|null $logger  gets a line for each table that counts as changed in bulk, and each cause;
     *     null: PHP's error_log, one line a minute and table
     *
     * @throws InvalidConnection
     * @throws UnsupportedDatabase if the DSN is of another database than the dialect
     * @throws PDOException
     */
    public function __construct(
        #[SensitiveParameter]
        string $dsn,
        Registry $registry = new Registry(),
        ?Dialect $dialect = null,
        array $options = [],
        ?LoggerInterface $logger = null,
        ?string $user = null,
        #[SensitiveParameter]
        ?string $password = null,
    ) {
        $driver = strstr($dsn, ':', true);
        $known = $dialect?->driver() ?? 'SQLite, MariaDB and PostgreSQL';
        $dialect ??= Dialects::of((string) $driver);
        // The others are an alias in php.ini and a file with the DSN.
        if ($driver !== false && $driver !== 'uri' && $driver !== $dialect->driver()) {
            throw UnsupportedDatabase::of($driver, $known);
        }
        $this->dialect = $dialect;
        foreach ($options as $attribute => $value) {
            self::check($attribute, $value);
        }
        $connection = WeakReference::create($this);
        $select = static function (string $sql, array $parameters = []) use ($connection): array {
            /** @var array<int, scalar|null> $parameters by number, from 0 on */
            /** @var list<array<string, scalar|null>> $rows */
            $rows = $connection->get()?->quietly($sql, $parameters)->fetchAll(PDO::FETCH_ASSOC) ?? [];

            return $rows;
        };
        $onSecond = static function (string $sql, array $values = []) use ($connection): array {
            /** @var array<int, scalar|null> $values */
            return $connection->get()?->second()->rows($sql, $values) ?? [];
        };
        $account = hash('xxh128', $dsn . "\0" . $user);
        $change = static function (string $sql, array $values = []) use ($connection): ?int {
            /** @var array<int, scalar|null> $values */
            return $connection->get()?->second()->change($sql, $values);
        };
        $catalog = $dialect->locksRows()
            ? (new KeptCatalog($dialect, $onSecond, $change, $account))->rows(...)
            : $select;
        $this->schema = new Schema($dialect, $catalog);
        $this->registry = $registry->over($this->schema);
        $this->statements = new WeakMap();
        $this->recorder = new Recorder($dialect->grammar());
        $exec = static fn(string $sql): mixed => $connection->get()?->raw($sql);
        $effects = new SideEffects($dialect, $catalog, $this->schema);
        $facts = $dialect->locksRows() ? new TableFacts($dialect, $catalog) : null;
        $state = $facts === null ? null : static fn(): bool => $connection->get()?->isServerInTransaction() ?? false;
        $this->writes = new Writes($this->registry, $dialect, $effects, $select, $facts);
        $this->transaction = new Transaction(
            $this->registry,
            $dialect,
            $effects,
            $this->writes,
            $logger,
            $exec,
            $facts,
            $state,
        );
        try {
            parent::__construct($dsn, $user, $password, [
                PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
                PDO::ATTR_STATEMENT_CLASS => [RecordingStatement::class],
            ] + $options + [PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC]);
            $this->open = static fn(): PDO => new PDO($dsn, $user, $password, [
                PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
            ] + array_intersect_key($options, array_flip($dialect->options())));
        } catch (PDOException $exception) {
            throw $dialect->unopened($dsn, $exception);
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
    public function select(string $sql, array $parameters = [], Dependency ...$names): array
    {
        $this->ask($sql);
        $reads = $this->recorder->reads();
        $statement = $reads === null && $this->recorder->isPlain($sql) ? null : $this->recorder->parsed($sql);
        if ($statement?->refusal !== null) {
            /** @var list<array<string, scalar|null>> $rows */
            $rows = $this->run($sql, $parameters)->fetchAll(PDO::FETCH_ASSOC);

            return $rows;
        }
        if ($statement !== null) {
            $reads?->statement($statement, self::sent($parameters), ...$names);
        }
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $this->transaction->guarded(
            fn(): array => $this->quietly($sql, $parameters)->fetchAll(PDO::FETCH_ASSOC),
        );
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
        $outer = $this->unrecorded;
        $this->unrecorded = $outer || $this->isOwn($sql);
        try {
            if ($this->unrecorded) {
                $this->keepId();
            }
            $statement = $this->unrecorded ? parent::prepare($sql, $this->dialect->once()) : $this->prepare($sql);
            if ($this->unrecorded) {
                $statement->setFetchMode(PDO::FETCH_ASSOC);
            }

            return SecondConnection::executed($statement, $parameters);
        } finally {
            $this->unrecorded = $outer;
        }
    }

    /** @internal */
    public function rows(string $sql, array $parameters = []): array
    {
        $this->keepId();
        $statement = $this->quietly($sql, $parameters);
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $statement->fetchAll(PDO::FETCH_ASSOC);

        return $rows;
    }

    /** @internal */
    public function repeatable(string $sql): array
    {
        $this->keepId();
        $statement = $this->quietly($sql);
        $fetch = static function () use ($statement): array {
            /** @var list<array<string, scalar|null>> $rows */
            $rows = $statement->fetchAll(PDO::FETCH_ASSOC);

            return $rows;
        };

        return [$fetch(), function () use ($statement, $fetch): array {
            $this->keepId();
            $statement->execute();

            return $fetch();
        }];
    }

    /** @internal */
    public function change(string $sql, array $parameters = []): int
    {
        return $this->quietly($sql, $parameters)->rowCount();
    }

    /** @internal */
    public function lastId(): int
    {
        return (int) $this->lastInsertId();
    }

    /**
     * @internal Larder's own connection to the same database, opened when it is first needed.
     *
     * @throws PDOException
     */
    public function second(): SecondConnection
    {
        return $this->second ??= new SecondConnection($this->open, $this->dialect);
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
        if ($this->transaction->isOpen()) {
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
        if (!$this->snapshot && !$this->transaction->isOpen()) {
            $this->schema->look();
        }
        $hidden = $this->schema->hidden();
        if ($hidden !== null) {
            $reads->refuse("a temporary table hides $hidden");
        }
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

    /** @internal Whether a statement was run that may not have been read to its end. */
    public function hasStatements(): bool
    {
        return \count($this->statements) > 0;
    }

    /** @internal Runs a statement that asks for the connection's state, and changes and reads no data. */
    public function probe(string $sql): int|false
    {
        $this->keepId();

        return parent::exec($sql);
    }

    /** Whether the open transaction may have changed data: a statement ran in it that may be no SELECT. */
    public function wrote(): bool
    {
        return $this->transaction->wrote();
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
        $connection = WeakReference::create($this);
        $this->transaction->announceBy(static function (array $names) use ($connection, $announce): void {
            $writer = $connection->get();
            if ($writer !== null) {
                $announce($writer, $names);
            }
        });
    }

    /**
     * @internal Says who lets nobody store while a statement runs that commits by itself: it gets the tables that the
     * statement writes to, or null for all, and a closure that runs it.
     *
     * @param Closure(self, list<string>|null, Closure(): mixed): mixed $gate
     */
    public function gateBy(Closure $gate): void
    {
        $connection = WeakReference::create($this);
        $this->transaction->gateBy(static function (?array $tables, Closure $run) use ($connection, $gate): mixed {
            $writer = $connection->get();

            /** @var list<string>|null $tables */
            return $writer === null ? $run() : $gate($writer, $tables, $run);
        });
    }

    /** @internal What is known of the schema is out of date: it is read anew before the next write. */
    public function outdated(): void
    {
        $this->schema->altered();
        $this->transaction->isOutdated();
    }

    /** @internal Whether the server says that a transaction is open, which is not Larder's own read transaction. */
    public function isServerInTransaction(): bool
    {
        return !$this->snapshot && parent::inTransaction();
    }

    /**
     * The number of the row that was inserted last, as PDO says. Larder's own statements do not change it.
     *
     * @throws PDOException
     */
    public function lastInsertId(?string $name = null): string|false
    {
        return $this->inserted ?? parent::lastInsertId($name);
    }

    /** @internal */
    public function transaction(): Transaction
    {
        return $this->transaction;
    }

    public function dialect(): Dialect
    {
        return $this->dialect;
    }

    /** @internal */
    public function schema(): Schema
    {
        return $this->schema;
    }

    /** The declared tables, and those of the database's schema. */
    public function registry(): Registry
    {
        return $this->registry;
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

        return $this->ours(parent::prepare($query, $options));
    }

    /**
     * @throws LedgerUnavailable after a rollback, if what it writes could not be made known
     * @throws NoTransaction     if it cannot run here: see the message
     * @throws PDOException
     */
    public function query(string $query, ?int $fetchMode = null, mixed ...$fetchModeArgs): PDOStatement
    {
        $run = fn(): PDOStatement|false => parent::query($query, $fetchMode, ...$fetchModeArgs);

        return $this->ours($this->around($query, $run));
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
        $this->ask($statement);
        $affected = 0;
        $parts = $this->recorder->parsed($statement)->parts;
        if ($this->dialect->locksRows() && $parts !== []) {
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
        $parsed = $this->recorder->parsed($sql);
        $returns = array_filter($parsed->writes ?? [], static fn(Write $write): bool => $write->returns);
        $mayReturn = $returns !== [] || \in_array($parsed->verb, ['select', 'analyze', 'with', 'values'], true);
        if (!$mayReturn || $this->dialect->driver() !== 'mysql') {
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
        $isMariaDb = $this->dialect->driver() === 'mysql';
        $verbs = array_map(fn(string $part): string => $this->recorder->parsed($part)->verb, $parts);
        $control = array_intersect(
            ['begin', 'commit', 'rollback', 'rollback to', 'savepoint', 'release', 'two phases'],
            $verbs,
        );
        // The body of a routine has statements of its own.
        if (preg_match(self::ROUTINE, $text) === 1) {
            return $this->around($text, fn(): int|false => parent::exec($text));
        }
        $isAlone = !$isMariaDb && $control === [] && !$this->transaction->isOpen();
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
            if ($isAlone && $this->inTransaction()) {
                $this->exec('ROLLBACK');
            }
            throw $exception;
        }

        return $affected === [] ? 0 : $affected[$isMariaDb ? 0 : \count($affected) - 1];
    }

    /**
     * @throws InvalidConnection for ATTR_ERRMODE, ATTR_CASE, ATTR_ORACLE_NULLS, ATTR_STRINGIFY_FETCHES and
     *     ATTR_PERSISTENT, if it is not the default of PHP 8, and for ATTR_STATEMENT_CLASS
     */
    public function setAttribute(int $attribute, mixed $value): bool
    {
        self::check($attribute, $value);
        if ($attribute !== PDO::ATTR_AUTOCOMMIT || !$this->dialect->locksRows()) {
            return parent::setAttribute($attribute, $value);
        }
        $this->isAsked = false;

        return $this->transaction->ending($this, fn(): bool => parent::setAttribute($attribute, $value));
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

    public function beginTransaction(): bool
    {
        if ($this->transaction->isOpen()) {
            throw new PDOException('There is already an active transaction');
        }
        $this->exec($this->dialect->begin());
        $this->transaction->hasLock();

        return true;
    }

    /**
     * @throws LedgerUnavailable after a rollback, if what was written could not be made known
     * @throws NoTransaction     inside the closure of a transaction
     */
    public function commit(): bool
    {
        return $this->ended('COMMIT');
    }

    public function rollBack(): bool
    {
        return $this->ended('ROLLBACK');
    }

    public function inTransaction(): bool
    {
        return $this->transaction->isOpen();
    }

    /**
     * Runs a statement, with all that stands around it.
     *
     * @template T
     *
     * @param Closure(): T      $run
     * @param RecordingStatement|null $statement that $run executes; null: it returns the number of affected rows, or a
     *     PDOStatement
     *
     * @return T
     */
    private function around(string $sql, Closure $run, ?RecordingStatement $statement = null): mixed
    {
        if ($this->unrecorded) {
            return $run();
        }
        $this->ask($sql);
        $run = function () use ($run): mixed {
            $before = $this->inserted;
            $this->inserted = null;
            try {
                return $run();
            } catch (PDOException $exception) {
                // The driver keeps the number then.
                $this->inserted ??= $before;
                throw $exception;
            }
        };
        $reads = $this->recorder->reads();
        $parsed = $reads === null && $this->recorder->isPlain($sql) ? null : $this->recorder->parsed($sql);
        if ($parsed !== null) {
            $reads?->statement($parsed, $statement === null ? null : $statement->sent(...));
        }
        if ($reads !== null && $this->mayMeanOthers($parsed)) {
            $reads->refuse('its tables may be others than those of the connection that Larder asks for the schema');
        }
        if ($parsed?->refusal === null) {
            $made = $this->transaction->guarded($run);
        } else {
            $this->endSnapshot();
            if ($parsed->verb === '' && $this->dialect->driver() === 'pgsql' && $this->mayEnd($sql)) {
                throw NoTransaction::inText('commit');
            }
            $made = $this->unread($parsed, $run, $statement);
        }
        $ran = $made instanceof PDOStatement ? $made : $statement;
        if ($ran !== null) {
            $this->statements[$ran] = true;
        }

        return $made;
    }

    /**
     * Runs a statement that may not only read.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function unread(Statement $parsed, Closure $run, ?RecordingStatement $statement): mixed
    {
        if ($this->dialect->locksRows()) {
            return $this->onServer($parsed, $run, $statement);
        }
        if (!$this->transaction->isOpen()) {
            $this->schema->begin();
        }
        try {
            return $this->transaction->run($this, $parsed, $run, $statement);
        } finally {
            match ($parsed->verb) {
                'insert', 'update', 'delete', 'replace' => null,
                'begin', 'start', 'commit', 'end', 'rollback', 'savepoint', 'release' => $this->schema->look(),
                default => $this->schema->altered(),
            };
        }
    }

    /**
     * Runs a statement on a server that may not only read.
     *
     * @template T
     *
     * @param Closure(): T $run
     *
     * @return T
     */
    private function onServer(Statement $parsed, Closure $run, ?RecordingStatement $statement): mixed
    {
        $verb = $parsed->verb;
        if (!$this->transaction->isOpen()) {
            $this->schema->begin();
            if ($verb === 'begin') {
                // The plan that this process has is kept, if it still is that of the database.
                $this->schema->expire();
            }
        }
        try {
            return $this->transaction->run($this, $parsed, $run, $statement);
        } finally {
            $isEnd = \in_array($verb, ['commit', 'rollback', 'rollback to'], true);
            if (\in_array($verb, ['session', 'autocommit', 'temporary', 'gate', 'schema', 'select', ''], true)) {
                $this->isAsked = false;
                $this->isUnsettled = true;
            } elseif ($isEnd && $this->isUnsettled) {
                $this->isAsked = false;
                $this->isUnsettled = $this->transaction->isOpen();
            }
            if (\in_array($verb, ['gate', 'schema', ''], true) && $parsed->writes !== []) {
                $this->schema->altered();
            }
        }
    }

    /** Asks the server, if a statement may have changed it, for what decides how its session reads statements. */
    private function ask(string $sql): void
    {
        $query = self::SESSIONS[$this->dialect->driver()] ?? null;
        // Nothing may stand between these and what they are meant for.
        $isEarly = $this->home !== null
            && preg_match('/^\s*(?:set|begin|start|commit|rollback|savepoint|release)\b/i', $sql) === 1;
        if ($isEarly || $this->isAsked || $this->unrecorded || $query === null || $this->transaction->hasFailed()) {
            return;
        }
        $this->isAsked = true;
        $row = array_map(strval(...), $this->rows($query)[0]);
        $this->home ??= $row['home'];
        $this->recorder->speak($this->dialect->driver() === 'mysql'
            ? MariaDbGrammar::of($row['mode'], $row['home'] === '' ? null : $row['home'], $row['charset'])
            : new PostgreSqlGrammar(
                $row['schema'] === '' ? null : $row['schema'],
                explode(',', $row['functions']),
                $row['mode'] === 'on',
            ));
        $this->isElsewhere = $this->home !== $row['home']
            || !\in_array($row['charset'], self::CHARSETS, true)
            || str_contains($row['mode'], 'PAD_CHAR_TO_FULL_LENGTH');
        $this->writes->lookElsewhere($this->isElsewhere);
        $this->transaction->beginsByItself($row['auto'] === '0');
        foreach ($row['hidden'] === '' ? [] : explode(',', $row['hidden']) as $table) {
            $this->writes->hide($table);
        }
    }

    /** Whether what a statement names may be other tables than those of the schema. */
    private function mayMeanOthers(Statement $parsed): bool
    {
        return $this->isElsewhere || $this->writes->areHidden($parsed->identifiers);
    }

    /** Whether a text that is not understood may end a transaction. */
    private function mayEnd(string $sql): bool
    {
        return preg_match('/\b(?:commit|rollback|abort|end|prepare)\b/i', $sql) === 1;
    }

    /** Notes lastInsertId() before a statement of Larder's own, if the driver forgets it by any other statement. */
    private function keepId(): void
    {
        if ($this->inserted === null && $this->dialect->driver() === 'mysql') {
            $this->inserted = (string) parent::lastInsertId();
        }
    }

    private function ended(string $sql): bool
    {
        if (!$this->transaction->isOpen() && !$this->transaction->isLost()) {
            throw new PDOException('There is no active transaction');
        }
        try {
            $this->transaction->end($this, $sql === 'COMMIT', function () use ($sql): int|false {
                $made = $this->raw($sql);
                $this->inserted = null;

                return $made;
            });
        } finally {
            if (!$this->dialect->locksRows()) {
                $this->schema->look();
            } elseif ($this->isUnsettled) {
                $this->isAsked = $this->isUnsettled = false;
            }
        }

        return true;
    }

    private function raw(string $sql): int|false
    {
        $this->keepId();

        return parent::exec($sql);
    }

    private function beginSnapshot(RecordedReads $reads): void
    {
        try {
            $moment = $this->schema->moment();
            array_map($this->raw(...), $this->dialect->beginSnapshot());
            $this->snapshot = true;
            // So the state that is seen is one from before the render, also where it reads through something else.
            $row = $this->quietly($moment)->fetchAll(PDO::FETCH_NUM)[0] ?? [];
            $number = static fn(mixed $value): int => \is_int($value) ? $value : 0;
            [$version, $lastSet] = array_map($number, \is_array($row) ? $row : []) + [0, 0];
            if ($this->schema->lookAt($version, $lastSet) && $reads->names() !== []) {
                $reads->refuse('the schema of the database is another one than when its names were told');
            }
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
                $this->raw('COMMIT');
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

    /** Whether a statement is one of Larder's on its own tables. They need no parsing, and there are many of them. */
    private function isOwn(string $sql): bool
    {
        if (str_starts_with($sql, $this->dialect->usualPatience())) {
            return true;
        }

        if (
            !str_contains($sql, Writes::OWN)
            || strpbrk($sql, '\'"`[;') !== false
            || str_contains($sql, '--')
            || str_contains($sql, '/*')
            || preg_match('/^(?:SELECT|INSERT (?:OR IGNORE )?INTO|UPDATE(?! OR\b)|DELETE FROM) /', $sql) !== 1
        ) {
            return false;
        }
        preg_match_all(self::PLACE_OF_TABLE, $sql, $matches);

        return array_filter(
            $matches[1],
            fn(string $name): bool => !str_starts_with($name, Writes::OWN) && $this->registry->find($name) !== null,
        ) === [];
    }

    private function ours(PDOStatement|false $statement): RecordingStatement
    {
        if (!$statement instanceof RecordingStatement) {
            throw new LogicException('A failure is an exception, and the class of statements cannot be changed.');
        }
        $statement->belongsTo($this->recorder, $this->around(...));

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
