<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Larder\Dependency\Gates;
use Larder\Dependency\LedgerVersions;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Versions;
use Larder\Proof\StoreUnderTest;
use Larder\Store;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use PDO;

/** What the processes share that work on one mode of the store under one hazard. */
final readonly class Trial
{
    /** Seconds that a gate lives. For so long every reader makes the values of a dead writer's rows. */
    private const GATE = 4.0;

    /** Every second row that is chosen is one of this many. */
    private const HOT = 9;

    public Board $board;
    public CommitLog $commits;

    public function __construct(
        public StoreMode $mode,
        public Hazard $hazard,
        public MissingGuard $missing,
        public StoreUnderTest $store,
        public Database $database,
        public Findings $findings,
        int $rows,
        int $workers,
    ) {
        $this->board = Board::create(['end' => 1, 'closed' => 1, ValueCount::class => $workers]);
        $this->commits = CommitLog::create($rows, $workers);
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

    public function endAfter(float $seconds): void
    {
        $this->board->set('end', (int) (hrtime(true) + $seconds * 1e9));
    }

    public function isOver(float $since = 0.0): bool
    {
        return hrtime(true) >= $this->board->get('end') + (int) ($since * 1e9);
    }
}
