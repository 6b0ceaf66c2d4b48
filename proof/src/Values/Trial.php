<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Larder\Dependency\Gates;
use Larder\Dependency\Versions;
use Larder\Proof\MissingGuard;
use Larder\Proof\Run;
use Larder\Proof\StoreTrial;
use Larder\Sql\Ledger\LedgerVersions;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Store;
use Larder\Testbed\Server\DatabaseKind;
use PDO;

/** What the processes share that work on one mode of the store under one hazard. */
final readonly class Trial extends StoreTrial
{
    /** Seconds that a gate lives. For so long every reader makes the values of a dead writer's rows. */
    private const GATE = 4.0;

    /** Every second row that is chosen is one of this many. */
    private const HOT = 9;

    private const ROWS = 60;
    private const READERS = 3;
    private const WRITERS = 3;
    private const WORKERS = self::READERS + self::WRITERS + 1;

    /** Seconds between two restarts of a server; each trial has two at least. */
    private const RESTART = 1.5;

    /** Microseconds that a server is gone at most. */
    private const DOWN = 300_000;
    private const SHORT = 30_000;

    public CommitLog $commits;
    public Database $database;

    public function __construct(
        Run $run,
        string $directory,
        public StoreMode $mode,
        public Hazard $hazard,
        DatabaseKind $kind,
        MissingGuard $missing,
    ) {
        $series = ['closed' => 1, 'longestLag' => self::WORKERS, ValueCount::class => self::WORKERS];
        parent::__construct($run, $mode->name, $missing, $mode->store, $directory, $series, $mode->lag);
        $this->commits = CommitLog::create(self::ROWS, self::WORKERS);
        // Beside: the server of the store owns all of its directory.
        $this->database = new Database($kind, $directory . '-rows');
        $run->atEnd($this->database->stop(...));
        $this->database->make(self::ROWS, $mode->isStrict);
    }

    /** @return int restarts of the store's server */
    public function run(Run $run, float $seconds, int $seed): int
    {
        $writers = self::READERS + self::WRITERS;
        $pool = $run->pool(fn(int $number) => match (true) {
            $number < self::READERS => (new ValueReader($this, $number))->work(),
            $number < $writers => (new ValueWriter($this, $number))->work(),
            default => (new Evictor($this, $number))->work(),
        }, $seed);
        $isLossy = $this->hazard !== Hazard::Deaths;
        $goesBack = $this->mode->goesBack();
        $pause = $isLossy ? min($goesBack ? StoreMode::DEATH : self::RESTART, $seconds / 3) : 0.0;

        return $this->try(
            $pool,
            $writers + (int) $isLossy,
            $seconds,
            $pause,
            $goesBack ? self::SHORT : self::DOWN,
            $goesBack ? $this->save(...) : null,
        );
    }

    private function save(): void
    {
        $this->store->save(StoreMode::SNAPSHOT);
    }

    public function versions(Store $store, PDO $connection): Versions
    {
        return $this->mode->isStrict && $connection instanceof RecordingPdo
            ? new LedgerVersions(Database::ledger($connection))
            : new Gates($store, $connection, registry: Database::registry(), gateSeconds: self::GATE);
    }

    public function anyRow(): int
    {
        return mt_rand(0, (mt_rand(0, 1) === 1 ? self::HOT : $this->commits->rows) - 1);
    }

    /** Whether it is one of those that are chosen most. */
    public function isHot(int $row): bool
    {
        return $row < self::HOT;
    }
}
