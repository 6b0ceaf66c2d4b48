<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Larder\Proof\MissingGuard;
use Larder\Proof\Run;
use Larder\Proof\StoreTrial;
use Larder\Proof\Values\CommitLog;
use Larder\Row\Rows;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Store;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;

/** What the processes share that work on one store. */
final readonly class RowTrial extends StoreTrial
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

    private const READERS = 3;
    private const WRITERS = 3;

    /** Where others write too: of each kind, Larder's, those by PDO, those by the console. */
    private const OF_EACH = 2;

    /** Seconds between two restarts of the store's server, and microseconds that it is gone at most. */
    private const RESTART = 4.0;
    private const DOWN = 100_000;

    public Database $database;

    /** What was committed through Larder. */
    public CommitLog $commits;

    /** What others have committed. */
    public CommitLog $others;

    private int $workers;

    public function __construct(
        Run $run,
        string $store,
        string $directory,
        DatabaseKind $kind,
        MissingGuard $missing,
        public bool $isFollowed = false,
    ) {
        $this->workers = $workers = self::READERS + ($isFollowed ? 3 * self::OF_EACH : self::WRITERS);
        // The newest version of each row that somebody may have committed.
        $series = ['begun' => self::ROWS + 1, RowCount::class => $workers];
        parent::__construct($run, $store, $missing, $store, $directory, $series);
        $this->database = Database::start($kind, $directory . '-rows', $isFollowed);
        $run->atEnd($this->database->stop(...));
        $times = $isFollowed ? self::TIMES : 1;
        $this->commits = CommitLog::create(self::ROWS + 1, $workers, $times);
        $this->others = CommitLog::create(self::ROWS + 1, $workers, $times);
    }

    /** @return array{int, int, int} restarts of the store's server, kills and stops of the follower */
    public function run(Run $run, float $seconds, int $seed): array
    {
        $copy = $this->make($run);
        $follower = $this->isFollowed ? new RowFollower($this, $this->directory . '/follow', $seed, $seconds) : null;
        $run->atEnd(static fn() => $follower?->end());
        $pool = $run->pool(fn(int $number) => $this->work($number), $seed);
        $restarts = $this->try($pool, $this->workers, $seconds, self::RESTART, self::DOWN, static function () use (
            $follower,
            $copy,
        ): void {
            $follower?->attack();
            $copy?->letGo();
        });

        return [$restarts, $follower->kills ?? 0, $follower->stops ?? 0];
    }

    private function work(int $number): void
    {
        $kind = $this->isFollowed ? intdiv($number - self::READERS, self::OF_EACH) : 0;
        (match (true) {
            $number < self::READERS => new RowReader($this, $number),
            $kind === 0 => new RowWriter($this, $number),
            $kind === 1
                => new ForeignWriter($this, $number, new PlainSession($this->database), RowCount::ByPlainPdo),
            default => new ForeignWriter(
                $this,
                $number,
                new ConsoleSession($this->database, $this->directory),
                RowCount::ByConsole,
            ),
        })->work();
    }

    private function make(Run $run): ?LogCopy
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
            $copy = new LogCopy($this->database, $connection, $this->directory . '/log');
            $run->atEnd($copy->end(...));
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
}
