<?php

declare(strict_types=1);

namespace Larder\Torture\Exact;

use Larder\Dependency\Dependency;
use Larder\Dependency\Publication;
use Larder\Dependency\RecordedReads;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registration;
use Larder\Dependency\Registry;
use Larder\Dependency\SqlLedger;
use Larder\Dependency\SqlState;
use Larder\Exception\LarderException;
use PDO;
use PDOException;
use PDOStatement;
use Psr\Log\NullLogger;

/**
 * A database with a ledger: one connection that renders, one that writes, and a plain one that sees what is so.
 *
 * What is read is registered as if it were a page. All that is written is also done on a bare connection elsewhere.
 *
 * @phpstan-import-type Rows from WatchedCopy
 */
final class Trial
{
    private const RELEASE = 'exact';
    private const SLOTS = 4096;
    private const ROOM = 1 << 40;

    /** Commands that Larder refused. */
    public int $refused = 0;

    private readonly PDO $plain;
    private readonly PDO $bare;
    private readonly WatchedCopy $watched;
    private readonly RecordingPdo $reader;
    private readonly RecordingPdo $writer;
    private readonly SqlLedger $ledger;
    private readonly SqlState $state;
    private readonly KeptPages $pages;

    /** @var array<string, PDOStatement> by page */
    private array $statements = [];

    /** @var array<int, PDOStatement> what a writer prepared, by connection */
    private array $prepared = [];

    private int $stored = 0;

    /**
     * @param list<string> $statements that make the schema and its first rows; those that fail are left out
     * @param list<string> $pragmas
     */
    public function __construct(
        private readonly string $file,
        array $statements,
        array $pragmas,
        Registry $registry,
        private readonly Blindness $blindness = Blindness::None,
    ) {
        // By connections of their own, so that the others have inserted nothing yet.
        foreach ([$file, "$file-bare", "$file-watched"] as $made) {
            $all = ['PRAGMA journal_mode = WAL', 'PRAGMA synchronous = OFF', 'BEGIN', ...$statements, 'COMMIT'];
            self::try(new PDO("sqlite:$made"), ...$all);
        }
        $this->plain = new PDO("sqlite:$file");
        $this->bare = new PDO("sqlite:$file-bare");
        $this->watched = new WatchedCopy("$file-watched");
        self::try($this->plain, ...$pragmas);
        self::try($this->bare, 'PRAGMA synchronous = OFF', ...$pragmas);
        self::try($this->watched->connection, ...$pragmas);
        $this->pages = new KeptPages();
        $connect = static fn(): RecordingPdo => new RecordingPdo("sqlite:$file", $registry, logger: new NullLogger());
        $this->writer = $connect();
        self::try($this->writer, 'PRAGMA synchronous = OFF', ...$pragmas);
        // It makes known what this connection writes.
        new SqlLedger($this->writer, $this->pages, self::RELEASE, slots: self::SLOTS);
        $this->reader = $connect();
        self::try($this->reader, 'PRAGMA synchronous = OFF');
        $this->ledger = new SqlLedger($this->reader, $this->pages, self::RELEASE, slots: self::SLOTS);
        $this->ledger->deploy();
        $this->state = new SqlState($this->reader, self::SLOTS);
    }

    public function remove(): void
    {
        foreach (['', '-bare', '-watched'] as $file) {
            foreach (['', '-wal', '-shm'] as $end) {
                @unlink($this->file . $file . $end);
            }
        }
    }

    /**
     * Reads and stores.
     *
     * @return StoredRead|string why it was not stored; what begins with ! is wrong
     */
    public function record(Read $read): StoredRead|string
    {
        $reads = new RecordedReads($this->reader->registry());
        $page = 'page' . ++$this->stored;
        try {
            $rows = $this->ledger->snapshot(
                $reads,
                fn(): array => Query::rows($read->query->run($this->reader)),
            );
        } catch (PDOException $exception) {
            return 'error ' . self::code($exception);
        }
        $reason = $reads->refusal() ?? $reads->clock();
        if ($reason !== null) {
            return $reason;
        }
        $reads = $this->blindness === Blindness::Reads ? $reads->unnamed() : $reads;
        $stored = new StoredRead($read, $page, $reads, $this->plainly($read, $page));
        if (self::bag($rows) !== $stored->result) {
            return '!read something else than a plain connection';
        }
        $registration = new Registration($page, $page, 'exact', 1, $reads, null, self::ROOM, self::ROOM);
        $publication = $this->ledger->publish($registration, static function (): void {}, function () use ($page) {
            $this->pages->keep($page);

            return true;
        });

        return $publication === Publication::Stored ? $stored : $publication->value;
    }

    /**
     * Does what a writer does, and the same on the bare connection.
     *
     * @param list<Command> $commands
     *
     * @return string|null what happened otherwise than without Larder
     */
    public function write(array $commands): ?string
    {
        $this->prepared = [];
        $wrong = null;
        $writer = $this->blindness === Blindness::Writes ? $this->plain : $this->writer;
        foreach ($commands as $command) {
            $isChange = preg_match('/^\s*(CREATE|ALTER|DROP)\b/i', $command->query->sql) === 1;
            if ($isChange) {
                $this->watched->unwatch();
                $this->statements = [];
            }
            $with = $this->outcome($writer, $command);
            if (str_starts_with($with, 'refused')) {
                ++$this->refused;
                if ($this->writer->inTransaction()) {
                    continue;
                }
            }
            if (!str_starts_with($with, 'refused')) {
                $without = $this->outcome($this->bare, $command);
                $wrong ??= $with === $without ? null : "$command: $with, and without Larder $without";
                $this->outcome($this->watched->connection, $command);
            }
        }
        foreach ([$writer, $this->bare, $this->watched->connection] as $connection) {
            self::try($connection, 'ROLLBACK');
        }
        $this->prepared = [];

        return $wrong;
    }

    /**
     * @return Rows|null that were touched since the last call, values in the order of the columns; null: unknown
     */
    public function touched(): ?array
    {
        return $this->watched->touched(WatchedCopy::rows($this->plain));
    }

    /** @return string|null what is otherwise than without Larder */
    public function difference(): ?string
    {
        $is = serialize(WatchedCopy::rows($this->plain)) === serialize(WatchedCopy::rows($this->bare));

        return $is ? null : 'the tables are not as they are without Larder';
    }

    /** The result of a plain connection now: a bag of rows, or an error. */
    public function now(StoredRead $stored): string
    {
        return $this->plainly($stored->read, $stored->page);
    }

    public function isKept(StoredRead $stored): bool
    {
        return $this->pages->has($stored->page);
    }

    /** Whether values made from this would still be served: no version of its names has moved. */
    public function holds(StoredRead $stored): bool
    {
        $reads = $stored->reads;
        ['id' => $life, 'versions' => $versions] = $this->state->present($reads->slots(self::SLOTS));

        return $life === $reads->life() && $versions === $reads->versions();
    }

    /** Whether the table was written in bulk since, or all began anew. */
    public function wasBulk(StoredRead $stored, string $table): bool
    {
        $slot = Dependency::all($table)->slot(self::SLOTS);
        ['id' => $life, 'versions' => $versions] = $this->state->present([$slot]);

        return $life !== $stored->reads->life()
            || $versions[$slot] !== ($stored->reads->versions()[$slot] ?? null);
    }

    /** Forgets what was kept for a read that is not asked for again. */
    public function forget(StoredRead $stored): void
    {
        unset($this->statements[$stored->page]);
    }

    private function plainly(Read $read, string $page): string
    {
        try {
            $statement = $this->statements[$page] ??= $this->plain->prepare($read->query->sql);
            $rows = Query::rows($read->query->execute($statement));
            $statement->closeCursor();

            return self::bag($rows);
        } catch (PDOException $exception) {
            unset($this->statements[$page]);

            return 'error ' . self::code($exception);
        }
    }

    private function outcome(PDO $connection, Command $command): string
    {
        $isOurs = $connection instanceof RecordingPdo;
        $query = $command->query;
        try {
            $count = match ($command->action) {
                Action::Exec => $connection->exec($query->sql),
                Action::Run => self::fetched($query->run($connection)),
                Action::Begin => $isOurs ? (int) $connection->beginTransaction() : $connection->exec('BEGIN'),
                Action::Commit => $isOurs ? (int) $connection->commit() : $connection->exec('COMMIT'),
                Action::RollBack => $isOurs ? (int) $connection->rollBack() : $connection->exec('ROLLBACK'),
                Action::Prepare => $this->prepare($connection, $query),
                Action::Execute => self::fetched(
                    $query->execute($this->prepared[spl_object_id($connection)] ?? throw new PDOException('none')),
                ),
            };
        } catch (PDOException $exception) {
            // SQLite does not reset a statement whose commit has failed, and PDO cannot use it again.
            unset($this->prepared[spl_object_id($connection)]);

            return 'error ' . self::code($exception);
        } catch (LarderException $exception) {
            return 'refused: ' . $exception->getMessage();
        }

        return $command->counts() ? "done $count rows, last " . $connection->lastInsertId() : 'done';
    }

    private function prepare(PDO $connection, Query $query): int
    {
        unset($this->prepared[spl_object_id($connection)]);
        $this->prepared[spl_object_id($connection)] = $connection->prepare($query->sql);

        return 0;
    }

    private static function fetched(PDOStatement $statement): int
    {
        $rows = $statement->columnCount() > 0 ? \count(Query::rows($statement)) : 0;
        $affected = $statement->rowCount();
        $statement->closeCursor();

        return $affected + $rows;
    }

    /** @param list<array<array-key, mixed>> $rows */
    private static function bag(array $rows): string
    {
        $texts = array_map(serialize(...), $rows);
        sort($texts, SORT_STRING);

        return hash('xxh128', implode("\n", $texts));
    }

    /** BEGIN in a transaction and COMMIT without one are errors of PDO on one connection and of SQLite on the other. */
    private static function code(PDOException $exception): string
    {
        $code = $exception->errorInfo[1] ?? 1;

        return \is_scalar($code) ? (string) $code : '';
    }

    private static function try(PDO $connection, string ...$statements): void
    {
        foreach ($statements as $statement) {
            try {
                $connection->exec($statement);
            } catch (PDOException) {
                // Random statements fail at times: a unique index on rows that are equal.
                continue;
            }
        }
    }
}
