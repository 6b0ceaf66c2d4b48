<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\DataSource;
use Larder\Exception\NoTransaction;
use Larder\Sql\Exception\InvalidConnection;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Schema\ConnectionParameters;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\MariaDbDialect;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Schema;
use mysqli;
use mysqli_result;
use mysqli_sql_exception;
use mysqli_stmt;
use PDO;
use PDOException;
use Psr\Log\LoggerInterface;
use SensitiveParameter;
use Throwable;

/**
 * The application's own connection as a mysqli. It records what a render reads through it, and what a transaction
 * writes, as a RecordingPdo does.
 *
 * The methods work as usual, in each mode of mysqli_report(). Larder sees what runs through methods only: PHP's
 * functions, such as `mysqli_query($link, …)`, do not call them, so what they read and write is not seen. Code that
 * uses them needs a class in between, such as WordPress' drop-in `wp-content/db.php`. A statement that writes is
 * refused by NoTransaction where a function has begun a transaction, and by InvalidConnection where one has selected
 * another database. Since a function may end a transaction too, what is written in one is made known with each
 * statement.
 *
 * insert_id, affected_rows, field_count, errno, error and sqlstate are those of the application's statement, though
 * Larder's own ran after it: they are put back by an INSERT into a temporary table `larder_answer` of this connection,
 * by a SELECT of as many rows, or by SIGNAL. The account needs CREATE TEMPORARY TABLES for that. Not put back are
 * warning_count and SHOW WARNINGS of a statement that writes, info of an UPDATE, and field_count after a failure.
 *
 * Where Larder's own statements follow, all results of a statement are read at once, also by MYSQLI_USE_RESULT: that is
 * while a render is recorded, and for what is no plain SELECT. next_result() gives them one by one. MYSQLI_ASYNC is
 * refused. Larder's second connection is PDO's.
 *
 * @see https://www.php.net/manual/en/class.mysqli.php
 */
class RecordingMysqli extends mysqli implements TrackedConnection
{
    private MariaDbDialect $dialect;

    private Tracker $tracker;

    /** What mysqli was connected with: host, user, password, database, port, socket. */
    private ConnectionParameters $parameters;

    private UnfollowedMysqli $own;

    private MysqliAnswers $answers;

    private MysqliResults $results;

    private MysqliSession $session;

    private MysqliStatements $statements;

    /** The transaction that beginTransaction() has begun: its end throws a PDOException, as PDO does. */
    private ?int $throws = null;

    /**
     * Connects, if a host is given, as mysqli does; else real_connect() does.
     *
     * @param Registry             $registry tables that are declared; the others are as the database's schema has them
     * @param LoggerInterface|null $logger   gets a line for each table that counts as changed in bulk, and each cause;
     *     null: PHP's error_log, one line a minute and table
     *
     * @throws InvalidConnection for a persistent connection
     * @throws mysqli_sql_exception
     */
    public function __construct(
        ?string $hostname = null,
        ?string $username = null,
        #[SensitiveParameter]
        ?string $password = null,
        ?string $database = null,
        ?int $port = null,
        ?string $socket = null,
        Registry $registry = new Registry(),
        ?LoggerInterface $logger = null,
    ) {
        $this->dialect = new MariaDbDialect();
        $this->parameters = new ConnectionParameters();
        $this->own = new UnfollowedMysqli($this);
        $this->answers = new MysqliAnswers($this->own);
        $this->results = new MysqliResults();
        $this->session = new MysqliSession();
        $state = new TransactionState();
        $this->statements = new MysqliStatements(
            $this->own,
            $this->dialect,
            $state,
            $this->answers,
            $this->session,
            $this->parameters,
        );
        $this->tracker = new Tracker($this->statements, $state, $registry, $logger, $this->parameters->account(...));
        parent::__construct();
        if ($hostname !== null || $username !== null || $password !== null || $database !== null || $socket !== null) {
            $this->real_connect($hostname, $username, $password, $database, $port, $socket);
        }
    }

    /**
     * @throws InvalidConnection for a persistent connection
     * @throws mysqli_sql_exception
     */
    public function real_connect(
        ?string $hostname = null,
        ?string $username = null,
        #[SensitiveParameter]
        ?string $password = null,
        ?string $database = null,
        ?int $port = null,
        ?string $socket = null,
        int $flags = 0,
    ): bool {
        if (str_starts_with((string) $hostname, 'p:')) {
            throw InvalidConnection::persistent();
        }
        $this->leave();
        $isConnected = $this->noted(
            fn(): bool => parent::real_connect($hostname, $username, $password, $database, $port, $socket, $flags),
        );
        if ($isConnected) {
            $this->parameters->connected($hostname, $username, $password, $database, $port, $socket, $flags);
            $this->begun();
        }

        return $isConnected;
    }

    public function connect(
        ?string $hostname = null,
        ?string $username = null,
        #[SensitiveParameter]
        ?string $password = null,
        ?string $database = null,
        ?int $port = null,
        ?string $socket = null,
    ): bool {
        return $this->real_connect($hostname, $username, $password, $database, $port, $socket);
    }

    /** @param string|int $value */
    public function options(int $option, $value): bool
    {
        $this->parameters->option($option, $value);

        return parent::options($option, $value);
    }

    /** @param string|int $value */
    public function set_opt(int $option, $value): bool
    {
        return $this->options($option, $value);
    }

    public function ssl_set(
        ?string $key,
        ?string $certificate,
        ?string $ca_certificate,
        ?string $ca_path,
        ?string $cipher_algos,
    ): true {
        $this->parameters->tls($key, $certificate, $ca_certificate, $ca_path, $cipher_algos);
        parent::ssl_set($key, $certificate, $ca_certificate, $ca_path, $cipher_algos);

        return true;
    }

    public function select_db(string $database): bool
    {
        $isSelected = $this->noted(fn(): bool => parent::select_db($database));
        $this->parameters->selected($database);
        $this->session->selected();
        $this->tracker->asksAgain();

        return $isSelected;
    }

    public function set_charset(string $charset): bool
    {
        $isSet = $this->noted(fn(): bool => parent::set_charset($charset));
        $this->tracker->asksAgain();

        return $isSet;
    }

    public function ping(): bool
    {
        return $this->noted(fn(): bool => parent::ping());
    }

    /** It rolls back what is open, and begins a new session. */
    public function change_user(
        string $username,
        #[SensitiveParameter]
        string $password,
        ?string $database,
    ): bool {
        $this->leave();
        try {
            return $this->noted(fn(): bool => parent::change_user($username, $password, $database));
        } finally {
            $this->begun();
        }
    }

    /**
     * @throws LedgerUnavailable after a rollback, if what it writes could not be made known
     * @throws NoTransaction     if it cannot run here: see the message
     * @throws InvalidConnection for MYSQLI_ASYNC, and if it writes where a function has selected another database
     * @throws mysqli_sql_exception
     */
    public function query(string $query, int $result_mode = MYSQLI_STORE_RESULT): mysqli_result|bool
    {
        if (($result_mode & MYSQLI_ASYNC) !== 0) {
            throw InvalidConnection::asynchronous();
        }
        $this->results->clear();

        return $this->answers->around(fn(): mysqli_result|bool => $this->ran(
            $query,
            fn(): mysqli_result|bool => $this->mustStore($query)
                ? $this->stored($query)
                : parent::query($query, $result_mode),
        ));
    }

    /** @param array<array-key, mixed>|null $params */
    public function execute_query(string $query, ?array $params = null): mysqli_result|bool
    {
        $this->results->clear();
        $parameters = new MysqliParameters($this, array_values($params ?? []));
        $run = fn(): mysqli_result|bool => parent::execute_query($query, $params);

        return $this->answers->around(fn(): mysqli_result|bool => $this->ran($query, $run, $parameters));
    }

    public function real_query(string $query): bool
    {
        return $this->begins($query, false);
    }

    /** @param bool $isSeveral whether it may be several statements */
    private function begins(string $query, bool $isSeveral): bool
    {
        $this->results->clear();
        $isStored = true;
        $run = function () use ($query, $isSeveral, &$isStored): mysqli_result|bool {
            $isStored = $this->mustStore($query);

            return $isStored ? $this->stored($query, $isSeveral) : parent::real_query($query);
        };
        $first = $this->answers->around(fn(): mysqli_result|bool => $this->ran($query, $run));
        if ($isStored && $this->results->isEmpty()) {
            $this->results->add($first, null);
        }

        return $first !== false;
    }

    /** What real_query() or multi_query() left. */
    public function store_result(int $mode = 0): mysqli_result|false
    {
        $result = $this->results->current();
        if ($result === null) {
            return $this->noted(
                fn(): mysqli_result|false => $mode === 0 ? parent::store_result() : parent::store_result($mode),
            );
        }

        return $result instanceof mysqli_result ? $result : false;
    }

    public function use_result(): mysqli_result|false
    {
        return $this->results->isEmpty()
            ? $this->noted(fn(): mysqli_result|false => parent::use_result())
            : $this->store_result();
    }

    /** All statements run at once, and next_result() says what each answered. */
    public function multi_query(string $query): bool
    {
        $this->results->clear();
        $parts = $this->parts($query);
        if (\count($parts) < 2) {
            // Of a text that is not understood nobody knows.
            return $this->begins($query, true);
        }
        foreach ($parts as $part) {
            if ($this->tracker->recorder->parsed($part)->writes !== []) {
                $this->own()->mustAnswer();
                break;
            }
        }
        $results = new MysqliResults();
        foreach ($parts as $part) {
            try {
                $results->append($this->all($part));
                if ($results->hasFailed()) {
                    break;
                }
            } catch (mysqli_sql_exception $exception) {
                if ($results->isEmpty()) {
                    throw $exception;
                }
                $answer = new MysqliAnswer($exception->getCode(), $exception->getSqlState(), $exception->getMessage());
                $results->add(false, $answer, $exception);
                break;
            }
        }
        $this->results = $results;
        if ($results->hasMore()) {
            $this->answers->putBack($results->answer());
        }

        return $results->current() !== false;
    }

    public function more_results(): bool
    {
        return $this->results->isEmpty() ? parent::more_results() : $this->results->hasMore();
    }

    public function next_result(): bool
    {
        if ($this->results->isEmpty()) {
            return $this->noted(fn(): bool => parent::next_result());
        }
        if (!$this->results->next()) {
            return false;
        }
        $this->answers->putBack($this->results->answer());

        return $this->results->exception() === null
            ? $this->results->current() !== false
            : throw $this->results->exception();
    }

    public function prepare(string $query): mysqli_stmt|false
    {
        $statement = $this->stmt_init();

        $failure = null;
        try {
            if ($statement->prepare($query)) {
                return $statement;
            }
        } catch (mysqli_sql_exception $failure) {
            // Thrown once the connection says so too.
        }
        $answer = new MysqliAnswer($statement->errno, $statement->sqlstate, $statement->error);
        // That it ends puts the connection's error back to none.
        unset($statement);
        $this->answers->putBack($answer);

        return $failure === null ? false : throw $failure;
    }

    public function stmt_init(): mysqli_stmt
    {
        return new RecordingMysqliStatement($this, null, $this->tracker->recorder, $this->executed(...));
    }

    public function begin_transaction(int $flags = 0, ?string $name = null): bool
    {
        $kinds = array_keys(array_filter([
            'WITH CONSISTENT SNAPSHOT' => $flags & MYSQLI_TRANS_START_WITH_CONSISTENT_SNAPSHOT,
            'READ WRITE' => $flags & MYSQLI_TRANS_START_READ_WRITE,
            'READ ONLY' => $flags & MYSQLI_TRANS_START_READ_ONLY,
        ], static fn(int $flag): bool => $flag !== 0));

        return $this->query('START TRANSACTION ' . implode(', ', $kinds)) !== false;
    }

    /**
     * @throws LedgerUnavailable after a rollback, if what was written could not be made known
     * @throws NoTransaction     inside the closure of a transaction
     * @throws mysqli_sql_exception
     */
    public function commit(int $flags = 0, ?string $name = null): bool
    {
        return $this->ends('COMMIT' . self::completion($flags));
    }

    public function rollback(int $flags = 0, ?string $name = null): bool
    {
        return $this->ends('ROLLBACK' . self::completion($flags));
    }

    public function autocommit(bool $enable): bool
    {
        return $this->query('SET autocommit = ' . (int) $enable) !== false;
    }

    public function savepoint(string $name): bool
    {
        return $this->query('SAVEPOINT ' . $this->dialect->quote($name)) !== false;
    }

    public function release_savepoint(string $name): bool
    {
        return $this->query('RELEASE SAVEPOINT ' . $this->dialect->quote($name)) !== false;
    }

    public function close(): true
    {
        $this->tracker->leave();
        parent::close();

        return true;
    }

    /** Looks for a transaction that a function has ended, since nothing comes after it. */
    public function __destruct()
    {
        $this->tracker->leave();
    }

    /** @internal */
    public function takeBack(): bool
    {
        return $this->rollback();
    }

    public function beginTransaction(): bool
    {
        $this->ran($this->dialect->begin(), function (): bool {
            $this->statements->begin();

            return true;
        });
        $this->throws = $this->tracker->transaction()->number();

        return true;
    }

    public function inTransaction(): bool
    {
        return $this->tracker->transaction()->isOpen();
    }

    public function registry(): Registry
    {
        return $this->tracker->registry();
    }

    /** @internal */
    public function dialect(): Dialect
    {
        return $this->dialect;
    }

    public function wrote(): bool
    {
        return $this->tracker->wrote();
    }

    /** Runs a statement that returns no rows, as PDO does. */
    public function exec(string $statement): int
    {
        $this->ran($statement, fn(): mysqli_result|bool => parent::query($statement));

        return (int) $this->affected_rows;
    }

    /** @internal */
    public function source(?Closure $inTransaction = null): DataSource
    {
        return new TrackedSource($this, $this->tracker, $inTransaction);
    }

    /** @internal */
    public function own(): OwnStatements
    {
        return $this->tracker->own;
    }

    /** @internal */
    public function tracker(): Tracker
    {
        return $this->tracker;
    }

    /** @internal */
    public function announceBy(Closure $make): void
    {
        $this->tracker->announceBy($make);
    }

    public function select(string $sql, array $parameters = []): array
    {
        $statement = $this->prepare($sql);
        $result = $statement !== false && $statement->execute(array_values($parameters))
            ? $statement->get_result()
            : false;
        if ($result === false) {
            throw new PDOException($this->error);
        }
        /** @var list<array<string, mixed>> $rows */
        $rows = $result->fetch_all(MYSQLI_ASSOC);

        return $rows;
    }

    private function ends(string $sql): bool
    {
        $throws = $this->throws === $this->tracker->transaction()->number();

        return $throws
            ? (bool) $this->ran($sql, fn(): mysqli_result|bool => parent::query($sql))
            : $this->query($sql) !== false;
    }

    /** @param Closure(): bool $execute */
    private function executed(string $query, Closure $execute, RecordingMysqliStatement $statement): bool
    {
        $this->results->clear();

        return $this->answers->around(fn(): mysqli_result|bool => $this->ran($query, $execute, $statement)) !== false;
    }

    /**
     * Runs one statement of the application, with all that stands around it.
     *
     * @param Closure(): (mysqli_result|bool) $run
     *
     * @throws PDOException
     */
    private function ran(string $query, Closure $run, ?RunningStatement $statement = null): mysqli_result|bool
    {
        $this->statements->endLate();
        $this->tracker->ask($query);
        $this->statements->know();
        $made = false;
        $this->tracker->around($query, function () use ($query, $run, $statement, &$made): ?int {
            $this->answers->begin();
            try {
                $made = $run();
                $failure = null;
            } catch (mysqli_sql_exception $failure) {
                $made = false;
            }
            $of = $statement instanceof mysqli_stmt ? $statement : $this;
            if ($made === false || !$this->session->isKnown() || !$this->tracker->recorder->onlyReads($query)) {
                $this->session->follow($query, $made === false);
            }
            if ($made === false) {
                throw (new MysqliAnswer($of->errno, $of->sqlstate, $of->error))->exception($failure);
            }
            $this->answers->note($this->results->answer() ?? new MysqliAnswer(
                affected: $of->affected_rows,
                insertId: $of->insert_id,
                fields: $of->field_count,
            ));
            if ($this->results->hasMore()) {
                // The properties say what the last one has answered.
                $this->answers->cover();
            }

            return $made instanceof mysqli_result ? null : (int) $this->answers->affected();
        }, $statement);

        return $made;
    }

    /**
     * Runs what asks the server beside a statement, and notes that it failed.
     *
     * @template T
     *
     * @param Closure(): T $ask
     *
     * @return T
     */
    private function noted(Closure $ask): mixed
    {
        try {
            $made = $ask();
        } catch (Throwable $exception) {
            $this->tracker->recorder->failed($exception);
            throw $exception;
        }
        if ($made === false && $this->errno !== 0) {
            $this->tracker->recorder->failed($this->sqlstate);
        }

        return $made;
    }

    /** The session ends, and what it has not committed with it. */
    private function leave(): void
    {
        if ($this->inTransaction()) {
            $this->rollback();
        }
    }

    /** A session begins, or begins anew. */
    private function begun(): void
    {
        $this->session->forget();
        $this->answers->forget();
        $this->tracker->asksAgain();
    }

    /** Whether rows may not stay at the server: Larder's own statements follow. */
    private function mustStore(string $query): bool
    {
        return $this->tracker->recorder->innermost !== null
            || !$this->session->isKnown()
            || !$this->tracker->recorder->onlyReads($query);
    }

    /** Runs one statement and stores all its results: Larder's own statements follow. */
    private function stored(string $query, bool $isSeveral = false): mysqli_result|bool
    {
        $first = $isSeveral ? parent::multi_query($query) : parent::query($query);
        if ($first === true && $isSeveral) {
            $rows = parent::store_result();
            $first = $rows === false ? true : $rows;
        }
        if ($first === false || !$this->remain()) {
            return $first;
        }
        $results = new MysqliResults();
        $results->add($first, $this->own->answer());
        do {
            $exception = null;
            try {
                $result = parent::next_result();
                $stored = parent::store_result();
                // Without rows there is nothing to store.
                $result = $stored === false ? $result : $stored;
            } catch (mysqli_sql_exception $exception) {
                $result = false;
            }
            $results->add($result, $this->own->answer(), $exception);
        } while ($result !== false && $this->remain());
        $this->results = $results;

        return $first;
    }

    /**
     * Whether the server has further results.
     *
     * @phpstan-impure
     */
    private function remain(): bool
    {
        return parent::more_results();
    }

    /** @throws mysqli_sql_exception */
    private function all(string $query): MysqliResults
    {
        $first = $this->query($query);
        $results = $this->results;
        if ($results->isEmpty()) {
            $results = new MysqliResults();
            $results->add($first, $this->own->answer());
        }

        return $results;
    }

    /** @return list<string> */
    private function parts(string $query): array
    {
        // The body of a routine has statements of its own.
        if (Tracker::isRoutine($query)) {
            return [];
        }
        $this->tracker->ask($query);

        return array_values(array_filter(
            $this->tracker->recorder->parsed($query)->parts,
            static fn(string $part): bool => trim($part) !== '',
        ));
    }

    private static function completion(int $flags): string
    {
        return implode('', array_keys(array_filter([
            ' AND CHAIN' => $flags & MYSQLI_TRANS_COR_AND_CHAIN,
            ' AND NO CHAIN' => $flags & MYSQLI_TRANS_COR_AND_NO_CHAIN,
            ' RELEASE' => $flags & MYSQLI_TRANS_COR_RELEASE,
            ' NO RELEASE' => $flags & MYSQLI_TRANS_COR_NO_RELEASE,
        ], static fn(int $flag): bool => $flag !== 0)));
    }
}
