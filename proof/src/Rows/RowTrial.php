<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Larder\Dependency\RecordingPdo;
use Larder\Dependency\SqlLedger;
use Larder\Proof\StoreUnderTest;
use Larder\Proof\Values\CommitLog;
use Larder\Row\Rows;
use Larder\Store;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;

/** What the processes share that work on one store. */
final readonly class RowTrial
{
    public const ROWS = 40;

    /** Every second row that is chosen is one of this many. */
    private const HOT = 6;

    /** Seconds that a table stays closed if its writer died: meanwhile nothing of it is stored. */
    private const CLOSED = 1.0;

    /** Seconds without a sign of the follower, after which no row is handed out of a store. */
    public const MAX_LAG = 2.0;

    /** Seconds that what others have written may be old, as documented. */
    public const BOUND = self::MAX_LAG + 2.0;

    /** Microseconds at most between two changes of a writer. */
    private const PAUSE = 8_000;

    /** With others there are twice as many writers, which leave rows hardly a time to be kept. */
    private const PAUSE_WITH_OTHERS = 64_000;

    /** Versions of a row that others can make within the bound. */
    private const TIMES = 8192;

    public Board $board;

    /** What was committed through Larder. */
    public CommitLog $commits;

    /** What others have committed. */
    public CommitLog $others;

    public function __construct(
        public string $name,
        public MissingGuard $missing,
        public StoreUnderTest $store,
        public Database $database,
        public Findings $findings,
        int $workers,
        public bool $isFollowed = false,
    ) {
        // The newest version of each row that somebody may have committed.
        $this->board = Board::create(['end' => 1, 'begun' => self::ROWS + 1, RowCount::class => $workers]);
        $times = $isFollowed ? self::TIMES : 1;
        $this->commits = CommitLog::create(self::ROWS + 1, $workers, $times);
        $this->others = CommitLog::create(self::ROWS + 1, $workers, $times);
    }

    /**
     * @param string $directory for a copy of the log, if there is to be one
     *
     * @return LogCopy|null to be ended before the database
     */
    public function make(string $directory): ?LogCopy
    {
        $connection = $this->database->connect();
        $connection->exec('CREATE TABLE truth (id INTEGER PRIMARY KEY, version INTEGER NOT NULL)');
        $connection->exec('CREATE TABLE item (id INTEGER PRIMARY KEY, version INTEGER NOT NULL,'
            . ' grp INTEGER NOT NULL, place INTEGER NOT NULL)');
        $connection->exec('CREATE INDEX item_grp ON item (grp)');
        $copy = null;
        if ($this->isFollowed && $this->database->kind === DatabaseKind::PostgreSql) {
            $connection->exec('ALTER TABLE truth REPLICA IDENTITY FULL');
            $connection->exec('ALTER TABLE item REPLICA IDENTITY FULL');
            $copy = new LogCopy($this->database, $connection, $directory);
        }
        for ($row = 1; $row <= self::ROWS; ++$row) {
            $connection->exec("INSERT INTO truth VALUES ($row, 0)");
            $connection->exec("INSERT INTO item VALUES ($row, 0, 0, 0)");
        }
        $database = $this->database;
        SqlLedger::forValues(new RecordingPdo($database->dsn, user: $database->user, password: $database->password))
            ->deploy();

        return $copy;
    }

    /** @param bool $isRead whether rows are handed out by it */
    public function rows(RecordingPdo $connection, Store $store, bool $isRead = false): Rows
    {
        return new Rows(
            SqlLedger::forValues($connection),
            $store,
            closed: self::CLOSED,
            followed: $this->isFollowed && $isRead && $this->missing !== MissingGuard::Heartbeat,
        );
    }

    /** @return list<Store> of all hosts */
    public function stores(): array
    {
        return array_map($this->store->open(...), $this->name === 'tiers' ? [0, 1] : [0]);
    }

    public function pauseAfterChange(): void
    {
        usleep(mt_rand(0, $this->isFollowed ? self::PAUSE_WITH_OTHERS : self::PAUSE));
    }

    public function anyRow(): int
    {
        return mt_rand(1, mt_rand(0, 1) === 1 ? self::HOT : self::ROWS);
    }

    public function endAfter(float $seconds): void
    {
        $this->board->set('end', (int) (hrtime(true) + $seconds * 1e9));
    }

    public function isOver(float $since = 0.0): bool
    {
        return hrtime(true) >= $this->board->get('end') + (int) ($since * 1e9);
    }
}
