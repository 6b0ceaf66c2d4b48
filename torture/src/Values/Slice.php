<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Testbed\Process\Findings;
use Larder\Dependency\Gates;
use Larder\Dependency\LedgerVersions;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Versions;
use Larder\Store;

/** What the processes of one stretch of the run share: a setting, and what goes wrong in it. */
final readonly class Slice
{
    /** How long a gate lives: dead writers' rows are made by every reader for so long. */
    private const GATE = 4.0;

    public function __construct(
        public Setting $setting,
        public Phase $phase,
        public Broken $broken,
        public Shelf $shelf,
        public Database $database,
        public Score $score,
        public Findings $findings,
    ) {}

    public function versions(Store $store, RecordingPdo $connection): Versions
    {
        return $this->setting->isStrict ? new LedgerVersions(Database::ledger($connection)) : new Gates($store, $connection, gateSeconds: self::GATE);
    }

    public function isOver(): bool
    {
        return hrtime(true) >= $this->score->end();
    }
}
