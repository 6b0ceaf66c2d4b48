<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Sql\Tracker\RecordingPdo;
use Random\Randomizer;

/** The real database that processes work on, with one row. */
interface ExploredDatabase
{
    /** Keeps what is there as the first state. */
    public function keep(): void;

    /** Back to the first state. Every process must be buried. */
    public function reset(): void;

    /** The same one each time for a process of this name. */
    public function connection(ExploredProcess $process): DrivenConnection&RecordingPdo;

    /** For what is not driven: runs to its end in one go. */
    public function control(): RecordingPdo;

    /** @param string $process empty: of nobody. The same numbers in each run */
    public function random(string $process): Randomizer;

    /**
     * What is committed: the row's value, the generation that the index holds for the page under the row's name or
     * null, and all rows.
     *
     * @return array{value: int, registered: int|null, text: string}
     */
    public function look(): array;

    public function remove(): void;
}
