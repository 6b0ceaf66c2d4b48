<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Exception\NoTransaction;
use Larder\Sql\Exception\InvalidConnection;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\KeptCatalog;
use Larder\Sql\Schema\LaterConnection;
use Larder\Sql\Schema\LockingDialect;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Schema;
use Larder\Sql\Schema\SecondConnection;
use Larder\Sql\Schema\Several;
use Larder\Sql\Schema\SideEffects;
use Larder\Sql\Schema\TableFacts;
use PDOException;
use PDOStatement;
use Psr\Log\LoggerInterface;
use Throwable;
use WeakMap;
use WeakReference;

/**
 * @internal What stands around each statement of the application's own connection: it records what a render reads, and
 * follows what a transaction writes. The connection keeps it, and it does not keep the connection.
 */
final class Tracker
{
    /**
     * What a server's session says that decides how statements are read: `mode`, how texts are; `home`, where a table
     * is looked for, and by whom; `auto`, 0 if a transaction begins by itself; `charset`; `hidden`, the schema
     * of the session's temporary tables, or 0; `schema`.
     */
    private const TEMPORARY = "SELECT relname FROM pg_class WHERE relnamespace = pg_my_temp_schema()"
        . " AND relkind IN ('r', 'v', 'S', 'p')";

    /** Those that may have a name of the server's own. What the server itself has is below that number. */
    private const FUNCTIONS = "SELECT DISTINCT lower(proname) AS name FROM pg_proc WHERE oid >= 16384 AND pronamespace"
        . " NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)";

    /** With another one, bytes of a text are read otherwise than here. */
    private const CHARSETS = ['utf8', 'utf8mb3', 'utf8mb4', 'latin1', 'ascii', 'binary'];

    /** A text whose `;` may stand inside one statement. */
    private const ROUTINE = '/\b(?:create|alter|atomic)\b[^;]*\b(?:procedure|function|trigger|event|package|begin)\b'
        . '|\bbegin\s+not\b|\bend\s+(?:if|case|loop|while|repeat|for)\b/i';

    public readonly Recorder $recorder;

    private readonly Transaction $transaction;

    /** It and the profile are made by runner() and profile(), at the first statement that may not only read. */
    private ?StatementRunner $runner = null;

    /** @var Closure(Transaction, Schema): StatementRunner */
    private readonly Closure $run;

    private ?SessionProfile $profile = null;

    private readonly Registry $registry;

    private readonly Schema $schema;

    /** @var Closure(string, array<int, scalar|null>=): list<array<string, scalar|null>> of a query on the schema */
    private readonly Closure $catalog;

    private readonly Dialect $dialect;

    /** Whether the snapshot ends with the next query. */
    private bool $isEnding = false;

    /** By what name the second connection reads it. */
    private ?string $exported = null;

    /** What `home` was at first. */
    private ?string $home = null;

    /** null: where there is one writer. */
    private readonly ?LaterConnection $second;

    public readonly TrackedDatabase $database;

    /** null: where there is no second connection. */
    private readonly ?KeptCatalog $kept;

    /** One transaction writes at a time, as in SQLite; else rows are locked one by one. */
    private readonly bool $isOneWriter;

    /**
     * In SQLite a statement that is not read to its end keeps the state that the next one sees.
     *
     * @var WeakMap<object, true> statements that were run, and may not have been read to their end
     */
    private WeakMap $statements;

    /** @param Closure(): string $account another one for another database or user */
    public function __construct(
        public readonly OwnStatements $own,
        private readonly TransactionState $state,
        Registry $registry,
        ?LoggerInterface $logger,
        private readonly Closure $account,
    ) {
        $this->dialect = $dialect = $own->dialect();
        [$this->second, $this->kept, $facts, $this->run] = $dialect->choose(
            static fn(): array => [
                null,
                null,
                null,
                static fn(Transaction $transaction, Schema $schema): StatementRunner
                    => new OneWriterRunner($state, $transaction, $own, $schema, $transaction->writes()),
            ],
            static function (LockingDialect $dialect) use ($state, $own, $account): array {
                $second = new LaterConnection($own->another(...), $dialect);
                $kept = new KeptCatalog(
                    $dialect,
                    $second->rows(...),
                    $second->change(...),
                    $second->together(...),
                    $account,
                );
                $facts = new TableFacts($dialect, $kept->rows(...));
                $run = static fn(Transaction $transaction, Schema $schema): StatementRunner => new LockingRunner(
                    $state,
                    $transaction,
                    $own,
                    $dialect,
                    $schema,
                    $transaction->writes(),
                    $facts,
                    $second->rows(...),
                );

                return [$second, $kept, $facts, $run];
            },
        );
        $this->isOneWriter = $this->kept === null;
        $this->catalog = $catalog = $this->kept === null ? $own->rows(...) : $this->kept->rows(...);
        $this->recorder = new Recorder($dialect->grammar());
        $failed = $this->recorder->failed(...);
        $this->schema = new Schema($dialect, $catalog, Statement::sourcesOf(...), $this->kept !== null, $failed);
        $this->registry = $registry->over($this->schema);
        $this->database = new TrackedDatabase($own, $this->registry, $this->second, $logger);
        $this->statements = new WeakMap();
        $this->state->isAsked = $dialect->session() === '';
        [$schema, $registry] = [$this->schema, $this->registry];
        $this->transaction = new Transaction($state, $own, $schema, static fn(): Writes => new Writes(
            $state,
            $registry,
            $dialect,
            new SideEffects($dialect, $catalog, $schema),
            $own->rows(...),
        ), $logger, !$this->isOneWriter, $facts);
    }

    private function runner(): StatementRunner
    {
        return $this->runner ??= ($this->run)($this->transaction, $this->schema);
    }

    /** The profile of the session, which follows what is set from the first statement on that may not only read. */
    public function profile(): SessionProfile
    {
        if ($this->profile === null) {
            $tracker = WeakReference::create($this);
            $own = $this->own;
            $ask = static function () use ($tracker, $own): bool {
                $tracker->get()?->ask('');

                return !$own->hasStrayed();
            };
            $this->profile = new SessionProfile($this->state, $this->recorder, $this->account, $ask);
        }

        return $this->profile;
    }

    /** Whether a `;` in a text may stand inside one statement. */
    public static function isRoutine(string $sql): bool
    {
        return preg_match(self::ROUTINE, $sql) === 1;
    }

    /** The session's settings may be others now. */
    public function asksAgain(): void
    {
        $this->state->isAsked = false;
        $this->profile?->asksAgain();
    }

    /**
     * @internal Larder's own connection to the same database, opened when it is first needed.
     *
     * @throws PDOException
     */
    public function second(): SecondConnection
    {
        return $this->database->second();
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
        if ($this->own->mayEndUnseen()) {
            $reads->mayBePassed();
        }
        if ($this->transaction->isOpenNow()) {
            $reads->refuse('a transaction was open before the render began');
        } elseif (!$outer) {
            $this->beginSnapshot($reads);
        } elseif (!$this->state->snapshot) {
            $reads->refuse('the read transaction around it is over');
        }
        try {
            $made = $this->record($reads, $make);
            if ($this->state->snapshot) {
                $this->isEnding = !$outer;
                $end();
            }

            return $made;
        } finally {
            $this->isEnding = false;
            if (!$outer) {
                $this->endSnapshot();
            }
        }
    }

    /**
     * @internal Runs a query of Larder's own as the last one of a snapshot, and so in the trip that ends it, if the
     * driver takes several statements at once. In a call within another one it does not end it.
     *
     * @return list<array<string, scalar|null>>
     */
    public function rowsAtEnd(string $sql): array
    {
        $all = !$this->isOneWriter && $this->isEnding && $this->dialect->several() === Several::WithAllRows
            ? $this->own->together([$sql, 'COMMIT'])
            : null;
        if ($all === null) {
            return $this->own->rows($sql);
        }
        $this->state->snapshot = false;

        return $all[0] ?? [];
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
        try {
            if (!$this->state->snapshot && !$this->transaction->isOpen()) {
                $this->schema->look();
            }
            $hidden = $this->schema->hidden();
        } catch (Throwable $exception) {
            // It is no part of what is made around it.
            $this->recorder->failed($exception);
            throw $exception;
        }
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
        return $this->state->snapshot;
    }

    /** @internal By what name the second connection reads the snapshot that is open; null: by none. */
    public function exportedSnapshot(): ?string
    {
        return $this->state->snapshot ? $this->exported : null;
    }

    /** @internal Whether a statement was run that may not have been read to its end. */
    public function hasStatements(): bool
    {
        return \count($this->statements) > 0;
    }

    /** The number of the row inserted last, if Larder's own statements ran after the application's. */
    public function inserted(): ?string
    {
        return $this->state->inserted;
    }

    /** Whether the open transaction may have changed data: a statement ran in it that may be no SELECT. */
    public function wrote(): bool
    {
        return $this->transaction->wrote();
    }

    /** @internal What the open transaction has written and nobody made known. */
    public function writes(): Writes
    {
        return $this->transaction->writes();
    }

    /**
     * @internal Says who makes known what this connection writes.
     *
     * @param Closure(TrackedDatabase): Announcer $make is called when it is first needed, and must not keep the
     *     connection
     */
    public function announceBy(Closure $make): void
    {
        $database = $this->database;
        $this->transaction->announceBy(static fn(): Announcer => $make($database));
    }

    /** @internal What is known of the schema is out of date: it is read anew before the next write. */
    public function outdated(): void
    {
        $this->schema->altered();
        $this->transaction->isOutdated();
    }

    /** @internal */
    public function transaction(): Transaction
    {
        return $this->transaction;
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
     * Runs a statement, with all that stands around it.
     *
     * @template T
     *
     * @param Closure(): T      $run
     * @param RunningStatement|null $statement that $run executes; null: it returns the number of affected rows, or a
     *     PDOStatement
     *
     * @return T
     */
    public function around(string $sql, Closure $run, ?RunningStatement $statement = null): mixed
    {
        $this->meet();
        $this->ask($sql);
        if ($this->onlyReads($sql, $statement)) {
            try {
                $made = $run();
                $this->passed($made instanceof PDOStatement ? $made : $statement);

                return $made;
            } catch (Throwable $exception) {
                $this->failed($exception);
                throw $exception;
            }
        }
        // The result is refused already.
        $run = function () use ($run): mixed {
            $before = $this->state->inserted;
            $this->state->inserted = null;
            try {
                return $run();
            } catch (PDOException $exception) {
                // The driver keeps the number then.
                $this->state->inserted = $before;
                throw $exception;
            }
        };
        $parsed = $this->recorder->parsed($sql);
        $this->profile()->before($parsed, $sql);
        $this->endSnapshot();
        if ($parsed->verb === '' && $this->dialect->runsAsOne() && $this->mayEnd($sql)) {
            throw NoTransaction::inText('commit');
        }
        $made = $this->refusedOf($parsed->parts) === null
            ? $this->runner()->run($parsed, $run, $statement)
            : $this->transaction()->guarded($run);
        $ran = $made instanceof PDOStatement ? $made : $statement;
        if ($this->isOneWriter && $ran !== null) {
            $this->statements[$ran] = true;
        }

        return $made;
    }

    /**
     * Of the statements of one text the first one that PostgreSQL refuses outside of a transaction, and with it all of
     * the text.
     *
     * @param list<string> $parts
     *
     * @return string|null null: it takes all of them
     */
    public function refusedOf(array $parts): ?string
    {
        if ($parts === [] || !$this->dialect->runsAsOne() || $this->transaction()->isOpen()) {
            return null;
        }
        foreach ($parts as $part) {
            $verb = $this->recorder->parsed($part)->verb;
            if (\in_array($verb, ['savepoint', 'release', 'rollback to'], true)) {
                return $part;
            }
            if (\in_array($verb, ['begin', 'commit', 'rollback', 'two phases'], true)) {
                break;
            }
        }

        return null;
    }

    /**
     * Records what a statement reads, and says whether it may run with nothing around it: passed() or failed() follows.
     * Else around() runs it.
     */
    public function passes(string $sql, ?RunningStatement $statement = null): bool
    {
        $this->meet();

        return $this->state->isAsked && $this->onlyReads($sql, $statement);
    }

    /** Looks before a statement whether what was written is still in a transaction, where that costs no trip. */
    public function meet(): void
    {
        if ($this->state->open && $this->state->wrote && !$this->own->mayEndUnseen()) {
            $this->transaction->isOpenNow();
        }
    }

    /** A statement that passes has run. */
    public function passed(PDOStatement|RunningStatement|null $statement): void
    {
        $this->state->inserted = null;
        if (!$this->isOneWriter && (!$this->state->snapshot || $this->state->open)) {
            $this->transaction->hasRead();
        }
        if ($this->isOneWriter && $statement !== null) {
            $this->statements[$statement] = true;
        }
    }

    /** A statement that passes has failed. */
    public function failed(Throwable $exception): void
    {
        $this->recorder->failed($exception);
        if ($exception instanceof PDOException) {
            $this->transaction->failedBy($exception);
        }
        if ($this->state->snapshot && $this->dialect->failsWhole()) {
            // PostgreSQL runs nothing more in it, and what is read in it is not stored: the render goes on without.
            $this->endSnapshot();
        }
    }

    /** Asks the server, if a statement may have changed it, for what decides how its session reads statements. */
    public function ask(string $sql): void
    {
        if ($this->state->isAsked || $this->transaction->hasFailed()) {
            return;
        }
        // Nothing may stand between these and what they are meant for.
        $isEarly = $this->home !== null && preg_match(
            '/^\s*(?:(?:set|begin|start|commit|rollback|savepoint|release)\b|select\s+found_rows\(\)\s*$)/i',
            $sql,
        ) === 1;
        if ($isEarly) {
            return;
        }
        $this->state->isAsked = true;
        try {
            $this->answered($this->own->rows($this->dialect->session())[0]);
        } catch (Throwable $exception) {
            $this->state->isAsked = false;
            $this->recorder->failed($exception);
            throw $exception;
        }
    }

    /** @param array<string, scalar|null> $session */
    private function answered(array $session): void
    {
        $row = array_map(strval(...), $session);
        // A connection may select its database late.
        $isLate = $this->second?->isOpen() !== true && $this->home === '';
        $this->home = $isLate ? $row['home'] : $this->home ?? $row['home'];
        $this->recorder->speak($this->dialect->grammarOf($row, $this->functions()));
        $this->state->isElsewhere = $this->home !== $row['home']
            || !\in_array($row['charset'], self::CHARSETS, true)
            || str_contains($row['mode'], 'PAD_CHAR_TO_FULL_LENGTH');
        $this->transaction->beginsByItself($row['auto'] === '0');
        foreach ((int) $row['hidden'] === 0 ? [] : $this->own->rows(self::TEMPORARY) as $table) {
            $this->state->temporary[(string) $table['relname']] = true;
        }
    }

    /**
     * Begins a transaction, as the dialect says.
     *
     * @throws PDOException
     */
    public function begin(): void
    {
        if ($this->state->open || $this->own->hasStrayed()) {
            throw new PDOException('There is already an active transaction');
        }
        if ($this->isOneWriter && $this->recorder->innermost === null) {
            $this->beginAlone();

            return;
        }
        $begin = $this->dialect->begin();
        $this->around($begin, function () use ($begin): int|false {
            $made = $this->own->send($begin);
            $this->state->inserted = null;

            return $made;
        });
        $this->transaction->hasLock();
    }

    /** The same for the one writer, where nothing is recorded: around() has nothing to learn of it. */
    private function beginAlone(): void
    {
        if ($this->state->within) {
            throw NoTransaction::isOver();
        }
        $this->endSnapshot();
        $this->schema->begin();
        $this->transaction->begin();
    }

    /** The connection is given up. */
    public function leave(): void
    {
        $this->transaction->leave();
    }

    public function ended(string $sql): bool
    {
        if (!$this->transaction->isOpen() && !$this->transaction->isLost()) {
            throw new PDOException('There is no active transaction');
        }
        $sql === 'COMMIT' ? $this->transaction->commit() : $this->transaction->takeBack();

        return true;
    }

    /** Whether it only reads. What it reads is recorded. */
    private function onlyReads(string $sql, ?RunningStatement $statement): bool
    {
        $reads = $this->recorder->innermost;
        if ($reads === null) {
            return $this->recorder->onlyReads($sql);
        }
        $parsed = $this->recorder->parsed($sql);
        try {
            $reads->statement($parsed, $statement === null ? null : $statement->sent(...));
        } catch (Throwable $exception) {
            // What it reads could not be asked for.
            $this->recorder->failed($exception);
            throw $exception;
        }
        $mayHide = $this->state->temporary !== [];
        if ($this->state->isElsewhere || ($mayHide && $this->writes()->areHidden($parsed->identifiers))) {
            $reads->refuse('its tables may be others than those of the connection that Larder asks for the schema');
        }

        return $parsed->refusal === null;
    }

    /** Whether a text that is not understood may end a transaction. */
    private function mayEnd(string $sql): bool
    {
        return preg_match('/\b(?:commit|rollback|abort|end|prepare)\b/i', $sql) === 1;
    }

    /**
     * They are asked for where a statement calls a function. A render asks Larder's connection, which keeps the answer.
     *
     * @return Closure(): list<string>
     */
    private function functions(): Closure
    {
        [$state, $own, $catalog] = [$this->state, $this->own, $this->catalog];

        return static function () use ($state, $own, $catalog): array {
            $isOwn = !$state->snapshot && !$state->failed;
            $rows = $isOwn ? $own->rows(self::FUNCTIONS) : $catalog(self::FUNCTIONS);

            return array_map(strval(...), array_column($rows, 'name'));
        };
    }

    private function beginSnapshot(RecordedReads $reads): void
    {
        if (!$this->own->mayEndUnseen() && $this->own->hasStrayed()) {
            $reads->refuse(NoTransaction::begunPast()->getMessage());

            return;
        }
        try {
            // So the state that is seen is one from before the render, also where it reads through something else.
            $row = array_values(($this->opened() ?? $this->begun($this->schema->moment()))[0] ?? []);
            $number = static fn(mixed $value): int => \is_int($value) ? $value : 0;
            [$version, $lastSet] = array_map($number, $row) + [0, 0];
            if ($this->schema->lookAt($version, $lastSet) && $reads->names() !== []) {
                $reads->refuse('the schema of the database is another one than when its names were told');
            }
            if ($this->second?->isOpen() !== true) {
                // Of this moment, before anything else asks.
                $this->schema->changes();
            }
        } catch (PDOException|NoTransaction|InvalidConnection $exception) {
            $reads->refuse('its read transaction could not begin: ' . $exception->getMessage());
            $this->endSnapshot();
        }
    }

    /**
     * Begins the first snapshot of this connection, and learns in it what is known of the schema.
     *
     * @return list<array<string, scalar|null>>|null as of begun(); null: it is not the first one, or this connection
     *     takes one statement at a time, or the ledger is of another Larder
     */
    private function opened(): ?array
    {
        $takesSeveral = !$this->isOneWriter && $this->dialect->several() === Several::WithAllRows;
        $queries = $takesSeveral ? $this->kept?->opening() : null;
        if ($queries === null) {
            return null;
        }
        $begin = $this->dialect->beginSnapshot();
        $asks = !$this->state->isAsked && !$this->transaction->hasFailed();
        $statements = [...$begin, ...$queries, ...($asks ? [$this->dialect->session()] : [])];
        try {
            $rows = $this->own->together($statements);
        } catch (PDOException) {
            $this->state->snapshot = true;
            $this->endSnapshot();

            return null;
        }
        if ($rows === null) {
            return null;
        }
        $this->state->snapshot = true;
        [$plan, $sets] = \array_slice($rows, \count($begin), 2) + [[], []];
        if ($asks) {
            $this->state->isAsked = true;
            $this->answered($rows[\count($begin) + 2][0] ?? []);
        }

        return $this->kept->opened($plan, $sets);
    }

    /** @return list<array<string, scalar|null>> the rows of a query by which the snapshot begins */
    private function begun(string $moment): array
    {
        $begin = $this->dialect->beginSnapshot();
        $asks = !$this->state->isAsked && !$this->transaction->hasFailed();
        $export = $this->dialect->exportedSnapshot();
        if ($export !== null) {
            return $this->begunThere($moment, $export, $asks);
        }
        $statements = [...$begin, $moment, ...($asks ? [$this->dialect->session()] : [])];
        try {
            $rows = $this->own->together($statements);
        } catch (PDOException $exception) {
            // The transaction may have begun.
            $this->state->snapshot = true;
            throw $exception;
        }
        if ($rows === null) {
            $this->own->begin($begin);
        }
        $this->state->snapshot = true;
        if ($rows === null) {
            return $this->own->rows($moment);
        }
        if ($asks) {
            $this->state->isAsked = true;
            $this->answered($rows[\count($begin) + 1][0] ?? []);
        }

        return $rows[\count($begin)] ?? [];
    }

    /**
     * The same where the second connection reads Larder's tables in this snapshot: it has read them before, while a new
     * session of PostgreSQL would look each of them up.
     *
     * @return list<array<string, scalar|null>>
     */
    private function begunThere(string $moment, string $export, bool $asks): array
    {
        $query = "SELECT $export AS exported"
            . ($asks ? ', s.* FROM (' . $this->dialect->session() . ') s' : '');
        // The transaction may have begun, whatever becomes of this.
        $this->state->snapshot = true;
        $statements = [...$this->dialect->beginSnapshot(), $query];
        $all = $this->own->together($statements) ?? [];
        $row = $all === [] ? [] : $all[\count($all) - 1][0] ?? [];
        $exported = (string) ($row['exported'] ?? '');
        $this->exported = $exported;
        if ($asks) {
            $this->state->isAsked = true;
            $this->answered($row);
        }

        return $this->second()->rowsOf($exported, $moment);
    }

    private function endSnapshot(): void
    {
        if ($this->state->snapshot) {
            $this->state->snapshot = false;
            $this->exported = null;
            try {
                $this->own->send('COMMIT');
            } catch (PDOException) {
                // It is over already, and it only read.
            }
        }
    }
}
