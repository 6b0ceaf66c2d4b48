<?php

declare(strict_types=1);

namespace Larder\Torture\Rows;

use Larder\Dependency\RecordingPdo;
use Larder\Dependency\SqlLedger;
use Larder\Row\Rows;
use Larder\Store;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Server\Database;
use Larder\Torture\StoreUnderTest;
use Larder\Torture\Values\CommitLog;

/** What the processes share that work on one store. */
final readonly class RowTrial
{
    public const ROWS = 40;

    /** Every second row that is chosen is one of this many. */
    private const HOT = 6;

    /** Seconds that a table stays closed if its writer died: meanwhile nothing of it is stored. */
    private const CLOSED = 1.0;

    public Board $board;

    public CommitLog $commits;

    public function __construct(
        public string $name,
        public MissingGuard $missing,
        public StoreUnderTest $store,
        public Database $database,
        public Findings $findings,
        int $workers,
    ) {
        // The newest version of each row that somebody may have committed.
        $this->board = Board::create(['end' => 1, 'begun' => self::ROWS + 1, RowCount::class => $workers]);
        $this->commits = CommitLog::create(self::ROWS + 1, $workers);
    }

    public function make(): void
    {
        $connection = $this->database->connect();
        $connection->exec('CREATE TABLE truth (id INTEGER PRIMARY KEY, version INTEGER NOT NULL)');
        $connection->exec('CREATE TABLE item (id INTEGER PRIMARY KEY, version INTEGER NOT NULL,'
            . ' grp INTEGER NOT NULL, place INTEGER NOT NULL)');
        $connection->exec('CREATE INDEX item_grp ON item (grp)');
        for ($row = 1; $row <= self::ROWS; ++$row) {
            $connection->exec("INSERT INTO truth VALUES ($row, 0)");
            $connection->exec("INSERT INTO item VALUES ($row, 0, 0, 0)");
        }
        $database = $this->database;
        SqlLedger::forValues(new RecordingPdo($database->dsn, user: $database->user, password: $database->password))
            ->deploy();
    }

    public function rows(RecordingPdo $connection, Store $store): Rows
    {
        return new Rows(SqlLedger::forValues($connection), $store, closed: self::CLOSED);
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
