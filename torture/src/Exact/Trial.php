<?php

declare(strict_types=1);

namespace Larder\Torture\Exact;

use Larder\Dependency\Change;
use Larder\Dependency\Dependency;
use Larder\Dependency\Publication;
use Larder\Dependency\RecordedReads;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registration;
use Larder\Dependency\Registry;
use Larder\Dependency\SqlLedger;
use Larder\Dependency\SqlState;
use Larder\Dependency\Table;
use Larder\Exception\LarderException;
use PDO;
use PDOException;
use PDOStatement;
use Psr\Log\NullLogger;

/**
 * A database with a ledger: one connection that renders, one that writes, and a plain one that sees what is so.
 *
 * What is read is registered as if it were a page. All that is written is also done on a bare connection elsewhere.
 */
final class Trial
{
    private const RELEASE = 'exact';
    private const SLOTS = 4096;
    private const ROOM = 1 << 40;

    public readonly BareCopy $bare;

    /** Commands that Larder refused. */
    public int $refused = 0;

    private readonly PDO $plain;
    private readonly RecordingPdo $reader;
    private readonly RecordingPdo $writer;
    private readonly SqlLedger $readerLedger;
    private readonly SqlLedger $writerLedger;
    private readonly SqlState $state;
    private readonly KeptPages $pages;

    /** @var array<string, PDOStatement> by page */
    private array $statements = [];

    /** @var array<string, PDOStatement> what a writer prepared, by connection */
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
        foreach ([$file, "$file-bare"] as $made) {
            $all = ['PRAGMA journal_mode = WAL', 'PRAGMA synchronous = OFF', 'BEGIN', ...$statements, 'COMMIT'];
            self::try(new PDO("sqlite:$made"), ...$all);
        }
        $this->plain = new PDO("sqlite:$file");
        $this->bare = new BareCopy("$file-bare");
        self::try($this->bare->connection, ...$pragmas);
        $this->pages = new KeptPages();
        $connect = static fn(): RecordingPdo => new RecordingPdo("sqlite:$file", $registry, logger: new NullLogger());
        $this->writer = $connect();
        self::try($this->writer, 'PRAGMA synchronous = OFF', ...$pragmas);
        $this->writerLedger = new SqlLedger($this->writer, $this->pages, self::RELEASE, slots: self::SLOTS);
        $this->reader = $connect();
        self::try($this->reader, 'PRAGMA synchronous = OFF');
        $this->readerLedger = new SqlLedger($this->reader, $this->pages, self::RELEASE, slots: self::SLOTS);
        $this->readerLedger->deploy();
        $this->state = new SqlState($this->reader, self::SLOTS);
        $this->bare->watch();
    }

    public function remove(): void
    {
        foreach (['', '-bare'] as $file) {
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
            $rows = $this->readerLedger->snapshot($reads, fn(): array => $this->read($read));
        } catch (PDOException $exception) {
            return 'error ' . self::code($exception);
        }
        $reason = $reads->refusal() ?? $reads->clock();
        if ($reason !== null) {
            return $reason;
        }
        $stored = new StoredRead($read, $page, $reads, $this->plainly($read, $page));
        if ($this->blindness !== Blindness::Reads && self::bag($rows) !== $stored->result) {
            return '!read something else than a plain connection';
        }
        $registration = new Registration($page, $page, 'exact', 1, $reads, null, self::ROOM, self::ROOM);
        $publication = $this->readerLedger->publish($registration, static function (): void {}, function () use ($page) {
            $this->pages->keep($page);

            return true;
        });

        return $publication === Publication::Stored ? $stored : "!not stored: $publication->value";
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
        if ($this->blindness === Blindness::Writes && \count($commands) === 1) {
            return $this->writeBlindly($commands[0]);
        }
        foreach ($commands as $command) {
            $isChange = preg_match('/^\s*(CREATE|ALTER|DROP)\b/i', $command->query->sql) === 1;
            if ($isChange) {
                $this->bare->unwatch();
                $this->statements = [];
            }
            $with = $this->outcome($this->writer, $command);
            if (str_starts_with($with, 'refused')) {
                ++$this->refused;
                if ($this->writer->inTransaction()) {
                    continue;
                }
            }
            $without = str_starts_with($with, 'refused') ? $with : $this->outcome($this->bare->connection, $command);
            if ($with !== $without) {
                $wrong ??= "$command: $with, and without Larder $without";
            }
        }
        foreach ([$this->writer, $this->bare->connection] as $connection) {
            self::try($connection, 'ROLLBACK');
        }
        $this->prepared = [];

        return $wrong;
    }

    /** Whether all tables have the rows that they have without Larder. To be asked after BareCopy::touched(). */
    public function isLikeBare(): bool
    {
        return serialize(BareCopy::rows($this->plain)) === serialize($this->bare->all());
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

    /** Whether the table was written in bulk since. */
    public function wasBulk(StoredRead $stored, string $table): bool
    {
        $slot = Dependency::all($table)->slot(self::SLOTS);
        $versions = $this->state->present([$slot])['versions'];

        return $versions[$slot] !== ($stored->reads->versions()[$slot] ?? null);
    }

    /** Takes a page away that the next write would not. */
    public function forget(StoredRead $stored): void
    {
        unset($this->statements[$stored->page]);
    }

    /** @return list<array<array-key, mixed>> */
    private function read(Read $read): array
    {
        if ($this->blindness !== Blindness::Reads || $read->query->binding !== Binding::Text) {
            return $read->query->run($this->reader)->fetchAll(PDO::FETCH_NUM);
        }

        return $this->reader->select($read->query->sql, [], ...$this->absent());
    }

    private function writeBlindly(Command $command): null
    {
        try {
            $this->writerLedger->transaction(function (Change $change) use ($command): void {
                $this->outcome($this->writer, $command);
                foreach ($this->absent() as $name) {
                    $change->name($name, trust: true);
                }
            });
        } catch (LarderException) {
            // A command that Larder refuses writes nothing.
        }
        $this->outcome($this->bare->connection, $command);

        return null;
    }

    /** @return list<Dependency> a row of each table that is not there */
    private function absent(): array
    {
        return array_map(
            static fn(Table $table): Dependency => $table->row(Blindness::ABSENT),
            $this->reader->registry()->tables(),
        );
    }

    private function plainly(Read $read, string $page): string
    {
        try {
            $statement = $this->statements[$page] ??= $this->plain->prepare($read->query->sql);
            $rows = $read->query->execute($statement)->fetchAll(PDO::FETCH_NUM);
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
                Action::Prepare => (int) (
                    ($this->prepared[$connection::class] = $connection->prepare($query->sql)) instanceof PDOStatement
                ),
                Action::Execute => isset($this->prepared[$connection::class])
                    ? self::fetched($query->execute($this->prepared[$connection::class]))
                    : 0,
            };
        } catch (PDOException $exception) {
            return 'error ' . self::code($exception);
        } catch (LarderException $exception) {
            return 'refused: ' . $exception->getMessage();
        }

        return 'done' . ($command->counts() && $command->action !== Action::Prepare ? " $count rows, last " . $connection->lastInsertId() : '');
    }

    private static function fetched(PDOStatement $statement): int
    {
        $rows = $statement->columnCount() > 0 ? \count($statement->fetchAll(PDO::FETCH_NUM)) : 0;
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
