<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Closure;
use Fiber;
use Larder\Dependency\Name;
use Larder\Exception\LarderException;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Tests\Support\Sql\Action;
use Larder\Tests\Support\Sql\Command;
use Larder\Tests\Support\Sql\Query;
use Larder\Tests\Support\Sql\Read;
use Larder\Tests\Support\Sql\Schema;
use PDO;
use PDOException;
use PDOStatement;

/**
 * A database with a ledger: connections that render, one that writes, and a plain one that sees what is so.
 *
 * What is read is registered as if it were a page. All that is written is also done on a bare connection elsewhere.
 *
 * @phpstan-import-type Rows from Watch
 */
final class Trial
{
    private const RELEASE = 'exact';
    private const SLOTS = 4096;

    /** What stands behind the names of the databases: Larder's, the bare one and the one that is watched. */
    private const ALL = ['', 'b', 'w'];

    /** That are open at once, and each in a snapshot of its own. */
    private const RENDERERS = 3;

    /** Statements that lock tables for longer than themselves, or wait for every reader. */
    private const LOCKS = '/\b(CREATE|ALTER|DROP|RENAME|TRUNCATE|LOCK|FLUSH|OPTIMIZE|CLUSTER|VACUUM|REFRESH|ANALYZE'
        . '|CHECK|REPLACE TABLE|DO|CALL|HANDLER)\b/i';

    /** Commands that Larder refused. */
    public int $refused = 0;

    private readonly PDO $plain;

    /** It sees what the first bare one has committed, and no temporary table of that. */
    private readonly PDO $observer;

    /** @var non-empty-list<PDO> that do the same without Larder; the first one counts */
    private readonly array $bare;
    private readonly Watch $watched;
    private readonly SteppedPdo $writer;

    /** @var list<Renderer> */
    private readonly array $renderers;
    private readonly SqlLedger $ledger;
    private readonly KeptPages $pages;

    /** @var array<string, PDOStatement> by page */
    private array $statements = [];

    /** @var array<int, PDOStatement> what a writer prepared, by connection */
    private array $prepared = [];

    private int $stored = 0;

    private readonly Steps $steps;

    /** Another one of the application, beside the one that writes. */
    private ?SteppedPdo $other = null;

    /** @var Closure(): SteppedPdo */
    private readonly Closure $connect;

    /** @param string $name of a database that is not there yet */
    public function __construct(
        private readonly Host $host,
        private readonly string $name,
        Schema $schema,
        Registry $registry,
        private readonly Blindness $blindness = Blindness::None,
        Causes $causes = new Causes(),
        bool $stopsInside = false,
    ) {
        // By connections of their own, so that the others have inserted nothing yet.
        foreach (self::ALL as $end) {
            $host->create($name . $end, $schema->statements);
        }
        $connected = static function (PDO $connection) use ($schema): PDO {
            self::try($connection, ...$schema->settings);

            return $connection;
        };
        $this->plain = $connected($host->connect($name, $schema->attributes));
        $this->observer = $connected($host->connect($name . 'b', $schema->attributes));
        $this->watched = $host->watch($name . 'w', $schema->attributes);
        $this->bare = [
            $connected($host->connect($name . 'b', $schema->attributes)),
            $connected($this->watched->connection()),
        ];
        $this->pages = new KeptPages();
        $this->steps = new Steps();
        $this->connect = static function () use ($host, $name, $registry, $causes, $schema): SteppedPdo {
            $connection = $host->recording($name, $registry, $causes, $schema->attributes);
            self::try($connection, ...$schema->settings);

            return $connection;
        };
        $this->writer = $host->recording($name, $registry, $causes, $schema->attributes);
        $ledger = new SqlLedger($this->writer, $this->pages, self::RELEASE, slots: self::SLOTS);
        $this->writer->follow($this->pages, self::RELEASE, self::SLOTS);
        $renderers = $readers = [];
        // One that stops while it registers would let the others wait.
        for ($i = $host->overlaps() && !$stopsInside ? self::RENDERERS : 1; $i > 0; --$i) {
            $reader = $host->recording($name, $registry, new Causes(), $schema->attributes);
            $ledger = new SqlLedger($reader, $this->pages, self::RELEASE, slots: self::SLOTS);
            $reader->follow($this->pages, self::RELEASE, self::SLOTS);
            $renderers[] = new Renderer(
                $reader,
                $ledger,
                $this->pages,
                $blindness,
                self::bag(...),
                $this->steps,
                $stopsInside,
            );
            $readers[] = $reader;
        }
        $ledger->deploy();
        $this->renderers = $renderers;
        $this->ledger = $ledger;
        foreach ([$this->writer, ...$readers] as $connection) {
            self::try($connection, ...$schema->settings);
        }
        foreach ($readers as $connection) {
            self::try($connection, ...$host->impatience());
        }
    }

    public function remove(): void
    {
        foreach (self::ALL as $end) {
            $this->host->remove($this->name . $end);
        }
    }

    /**
     * Reads and stores.
     *
     * @return StoredRead|string why it was not stored; what begins with ! is wrong
     */
    public function record(Read $read): StoredRead|string
    {
        $page = 'page' . ++$this->stored;
        $stored = $this->renderers[0]->store([$page => $read])[$page];
        if (\is_string($stored)) {
            return $stored;
        }

        return $this->now($stored) === $stored->result
            ? $stored
            : '!stale at once: a plain connection reads something else';
    }

    /** How many can read at once. */
    public function renderers(): int
    {
        return \count($this->renderers);
    }

    /**
     * Reads and stores while a writer writes, step by step.
     *
     * @param list<list<Read>> $groups  each by a renderer of its own
     * @param list<Command>    $commands
     * @param Closure(list<int>): int $next who does the next step: 0 is the writer, 1 the first renderer; gets those
     *     who are not done
     *
     * @return array{string|null, list<StoredRead>} what happened otherwise than without Larder, and all that was stored
     */
    public function overlap(array $groups, array $commands, Closure $next): array
    {
        $this->steps->done = 0;
        $stops = preg_match(self::LOCKS, implode(' ', $commands)) !== 1;
        $wrong = null;
        $stored = [];
        $fibers = [new Fiber(function () use ($commands, &$wrong): void {
            Fiber::suspend();
            $wrong = $this->write($commands);
        })];
        $writer = $fibers[0];
        foreach ($groups as $n => $group) {
            $renderer = $this->renderers[$n];
            $reads = [];
            foreach ($group as $read) {
                $reads['page' . ++$this->stored] = $read;
            }
            $fibers[] = new Fiber(function () use ($renderer, $reads, $stops, &$stored): void {
                Fiber::suspend();
                array_push($stored, ...array_filter(
                    array_values($renderer->store($reads, $stops)),
                    static fn(StoredRead|string $one): bool => $one instanceof StoredRead,
                ));
            });
        }
        $step = static function () use ($writer): void {
            if (Fiber::getCurrent() === $writer) {
                Fiber::suspend();
            }
        };
        $this->writer->stepBy($step);
        $this->pages->stepBy($step);
        foreach ($fibers as $fiber) {
            $fiber->start();
        }
        while ($fibers !== []) {
            $n = $next(array_keys($fibers));
            $n = isset($fibers[$n]) ? $n : array_key_first($fibers);
            $this->steps->done += $n === 0 ? 1 : 0;
            $fibers[$n]->resume();
            if ($fibers[$n]->isTerminated()) {
                unset($fibers[$n]);
            }
        }
        $this->writer->stepBy(null);
        $this->pages->stepBy(null);

        return [$wrong, $stored];
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
        // Nobody could do that later: what a transaction has used is locked.
        if (preg_match('/\b(CREATE|ALTER|DROP|RENAME|TABLES?)\b/i', implode(' ', $commands)) === 1) {
            $this->watched->unwatch();
            $this->statements = [];
        }
        foreach ($commands as $command) {
            $with = $this->outcome($writer, $command);
            if (str_starts_with($with, 'refused')) {
                ++$this->refused;
                continue;
            }
            foreach ($this->bare as $n => $bare) {
                $without = $this->outcome($bare, $command);
                $wrong ??= $with === $without || $n > 0 ? null : "$command: $with, and without Larder $without";
            }
            if (Fiber::getCurrent() !== null) {
                Fiber::suspend();
            }
        }
        $isLocked = str_contains(implode(' ', $commands), 'LOCK TABLES');
        foreach ([$writer, ...$this->bare] as $connection) {
            self::try($connection, 'ROLLBACK', ...($isLocked ? ['UNLOCK TABLES'] : []));
        }
        $this->prepared = [];

        return $wrong;
    }

    /**
     * @return Rows|null that were touched since the last call, values in the order of the columns; null: unknown
     */
    public function touched(): ?array
    {
        return $this->watched->touched($this->rows());
    }

    /** @return string|null what is otherwise than without Larder */
    public function difference(): ?string
    {
        $is = serialize($this->rows()) === serialize(WatchedCopy::rows($this->host, $this->observer));

        return $is ? null : 'the tables are not as they are without Larder';
    }

    /** The result of a plain connection now: a bag of rows, or an error. */
    public function now(StoredRead $stored): string
    {
        $page = $stored->page;
        try {
            $statement = $this->statements[$page] ??= $this->plain->prepare($stored->read->query->sql);
            $rows = Query::rows($stored->read->query->execute($statement));
            $statement->closeCursor();

            return self::bag($rows, $stored->read);
        } catch (PDOException $exception) {
            unset($this->statements[$page]);

            return 'error ' . $this->host->code($exception);
        }
    }

    public function isKept(StoredRead $stored): bool
    {
        return $this->pages->has($stored->page);
    }

    /** Whether values made from this would still be served: no version of its names has moved. */
    public function holds(StoredRead $stored): bool
    {
        $reads = $stored->reads;
        try {
            ['id' => $life, 'versions' => $versions] = $this->ledger->present($reads->slots(self::SLOTS));
        } catch (LedgerUnavailable) {
            return false;
        }

        return $life === $reads->life() && $versions === $reads->versions();
    }

    /** A number that changes when everything counts as changed. */
    public function mark(): int
    {
        try {
            return $this->ledger->present([])['mark'];
        } catch (LedgerUnavailable) {
            return 0;
        }
    }

    /** Whether the table was written in bulk since, or all began anew. */
    public function wasBulk(StoredRead $stored, string $table): bool
    {
        $slot = Name::all($table)->slot(self::SLOTS);
        try {
            ['id' => $life, 'versions' => $versions] = $this->ledger->present([$slot]);
        } catch (LedgerUnavailable) {
            return true;
        }

        return $life !== $stored->reads->life()
            || $versions[$slot] !== ($stored->reads->versions()[$slot] ?? null);
    }

    /** Forgets what was kept for a read that is not asked for again. */
    public function forget(StoredRead $stored): void
    {
        $this->pages->forget($stored->page);
        unset($this->statements[$stored->page]);
    }

    /** @return Rows */
    private function rows(): array
    {
        return WatchedCopy::rows($this->host, $this->plain);
    }

    private function outcome(PDO $connection, Command $command): string
    {
        // PDO knows nothing of SQLite's transactions that exec() began.
        $isOurs = $connection instanceof RecordingPdo || $this->host->overlaps();
        $query = $command->query;
        try {
            $count = match ($command->action) {
                Action::Exec => $connection->exec($query->sql),
                Action::Elsewhere => ($connection === $this->writer ? $this->other() : $connection)
                    ->exec($query->sql),
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

            return 'error ' . $this->host->code($exception);
        } catch (LarderException $exception) {
            return 'refused: ' . $exception->getMessage();
        }

        return $command->counts()
            ? "done $count rows" . ($this->host->knowsLastId() ? ', last ' . $connection->lastInsertId() : '')
            : 'done';
    }

    private function other(): SteppedPdo
    {
        if ($this->other === null) {
            $this->other = ($this->connect)();
            $this->other->follow($this->pages, self::RELEASE, self::SLOTS);
        }

        return $this->other;
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
    private static function bag(array $rows, Read $read): string
    {
        $texts = array_map(serialize(...), $rows);
        if ($read->isArbitrary) {
            // Which of several values it returns that are equal for the database, is its own affair.
            $texts = array_map(static fn(string $text): string => (string) preg_replace(
                '/s:\d+:|[^!-~]|(?<=a)e/',
                '',
                strtolower(strtr($text, ['ß' => 'ss', 'ä' => 'a', 'é' => 'e', 'á' => 'a', 'Ａ' => 'a'])),
            ), $texts);
        }
        sort($texts, SORT_STRING);

        return hash('xxh128', implode("\n", $texts));
    }

    public static function try(PDO $connection, string ...$statements): void
    {
        foreach ($statements as $statement) {
            try {
                $connection->exec($statement);
            } catch (PDOException|LarderException) {
                // Random statements fail at times: a unique index on rows that are equal.
                continue;
            }
        }
    }
}
